// Moving about in a large picture: dragging, the wheel, and keys change its `viewBox`.

const LEAST = 0.02;
const MOST = 3;

/** The least scale at which letters can be read. */
const READABLE = 0.6;

/** What is left free around parts that are brought into view, in units of the picture. */
const BORDER = 30;

/** Parts of a picture beyond which those in view are shown first: laying out all of them takes longer than people wait. */
const MANY = 1500;

/** Parts that are shown at once afterwards. */
const BATCH = 400;

interface Box {
    x: number;
    y: number;
    width: number;
    height: number;
}

/** Where a part of a picture is, by what is written in it: asking the browser would have it laid out. */
function extent(part: Element): Box {
    const rect = part.tagName === "rect" ? part : part.querySelector("rect");
    const number = (element: Element, name: string) => Number(element.getAttribute(name)) || 0;
    if (rect) return { x: number(rect, "x"), y: number(rect, "y"), width: number(rect, "width"), height: number(rect, "height") };
    const way = part.getAttribute("d");
    if (way === null) return { x: number(part, "x"), y: number(part, "y"), width: 0, height: 0 };
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    let x = 0;
    // The commands are M, L, C and V, in absolute numbers.
    for (const [, command, numbers = ""] of way.matchAll(/([A-Z])([^A-Z]*)/g)) {
        const values = numbers.trim().split(/[\s,]+/).map(Number);
        const pairs = command === "V" ? values.flatMap((y) => [x, y]) : values;
        for (let at = 0; at + 1 < pairs.length; at += 2) {
            const [px = 0, py = 0] = pairs.slice(at, at + 2);
            [left, top, right, bottom] = [Math.min(left, px), Math.min(top, py), Math.max(right, px), Math.max(bottom, py)];
            x = px;
        }
    }
    return left <= right ? { x: left, y: top, width: right - left, height: bottom - top } : { x: 0, y: 0, width: 0, height: 0 };
}

export class Viewport {
    private x = 0;
    private y = 0;
    /** Pixels of the screen for a unit of the picture. */
    private scale = 1;
    private width = 1;
    private height = 1;
    private svg: SVGSVGElement | null = null;
    /** Width and height of the box when the picture was last shown. */
    private size: [number, number] = [0, 0];
    /** Parts that are not shown yet. */
    private covered: Element[] = [];
    private timer = 0;

    constructor(private readonly box: HTMLElement) {
        box.addEventListener("wheel", this.wheel, { passive: false });
        box.addEventListener("pointerdown", this.drag);
        box.addEventListener("keydown", this.key);
        new ResizeObserver(() => this.resized()).observe(box);
    }

    /** Another picture, with the arrow heads that it uses; it is shown from where the one before was, if that is wanted. */
    draw(picture: string, heads: string, stay: boolean): void {
        clearTimeout(this.timer);
        const template = document.createElement("template");
        template.innerHTML = picture.replace(/<svg[^>]*>/, (tag) => `${tag}${heads}`);
        const svg = template.content.querySelector("svg");
        this.svg = svg;
        this.covered = [];
        this.box.replaceChildren();
        if (!svg) return;
        const [, , width = 1, height = 1] = (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
        [this.width, this.height] = [width, height];
        svg.removeAttribute("width");
        svg.removeAttribute("height");
        if (stay) this.apply();
        else this.begin();
        this.cover(svg);
        this.box.append(svg);
        this.timer = window.setTimeout(() => this.uncover());
    }

    /** Hides what is not in view, if there is much of it. */
    private cover(svg: SVGSVGElement): void {
        if (svg.children.length < MANY) return;
        const { clientWidth, clientHeight } = this.box;
        const [right, bottom] = [this.x + clientWidth / this.scale, this.y + clientHeight / this.scale];
        for (const part of svg.children) {
            if (!part.matches("g, path, text, rect.paper")) continue;
            const { x, y, width, height } = extent(part);
            if (x <= right && x + width >= this.x && y <= bottom && y + height >= this.y) continue;
            part.setAttribute("display", "none");
            this.covered.push(part);
        }
    }

    /** Shows some of what is hidden, and the rest a little later. */
    private uncover(): void {
        for (const part of this.covered.splice(-BATCH)) part.removeAttribute("display");
        if (this.covered.length > 0) this.timer = window.setTimeout(() => requestAnimationFrame(() => this.uncover()));
    }

    /** The whole picture, or its beginning if the whole would be too small to read. */
    private begin(): void {
        const { clientWidth, clientHeight } = this.box;
        const whole = this.whole();
        this.scale = Math.min(1, Math.max(whole, READABLE));
        this.x = (this.width - clientWidth / this.scale) / 2;
        this.y = Math.min(0, (this.height - clientHeight / this.scale) / 2);
        const begin = this.svg?.querySelector<SVGGraphicsElement>('[data-node="begin"]');
        if (begin && whole < this.scale) {
            // Not all of it can be seen: it begins in the middle.
            const { x, y, width } = extent(begin);
            this.x = x + width / 2 - clientWidth / this.scale / 2;
            this.y = y - 40 / this.scale;
        }
        this.apply();
    }

    /** The scale at which all of the picture is seen. */
    private whole(): number {
        return Math.min(this.box.clientWidth / this.width, this.box.clientHeight / this.height) || 1;
    }

    /** The whole picture, however small it is then. */
    fit(): void {
        this.scale = Math.min(1, this.whole());
        this.centre({ x: 0, y: 0, width: this.width, height: this.height });
    }

    /** Brings parts of the picture into the middle, all of them as far as they can be read then, and else the first ones. */
    reveal(parts: SVGGraphicsElement[]): void {
        const [first] = parts;
        if (!first) return;
        for (const part of parts) part.removeAttribute("display");
        const boxes = parts.map(extent);
        const [left, top] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
        const [right, bottom] = [Math.max(...boxes.map((box) => box.x + box.width)), Math.max(...boxes.map((box) => box.y + box.height))];
        const all = { x: left, y: top, width: right - left, height: bottom - top };
        const { clientWidth, clientHeight } = this.box;
        const fitting = Math.min(clientWidth / (all.width + 2 * BORDER), clientHeight / (all.height + 2 * BORDER));
        this.scale = Math.max(READABLE, Math.min(Math.max(this.scale, READABLE), fitting));
        this.centre(fitting < this.scale ? extent(first) : all);
    }

    /** Shows a part of the picture in the middle, at the same scale. */
    private centre({ x, y, width, height }: Box): void {
        this.x = x + width / 2 - this.box.clientWidth / this.scale / 2;
        this.y = y + height / 2 - this.box.clientHeight / this.scale / 2;
        this.apply();
    }

    zoom(factor: number, x = this.box.clientWidth / 2, y = this.box.clientHeight / 2): void {
        const scale = Math.min(MOST, Math.max(Math.min(LEAST, this.whole()), this.scale * factor));
        this.x += x / this.scale - x / scale;
        this.y += y / this.scale - y / scale;
        this.scale = scale;
        this.apply();
    }

    /** What is in the middle stays there. */
    private resized(): void {
        const { clientWidth, clientHeight } = this.box;
        const [width, height] = this.size;
        if (!clientWidth) return;
        if (!width) return this.begin();
        this.x += (width - clientWidth) / 2 / this.scale;
        this.y += (height - clientHeight) / 2 / this.scale;
        this.apply();
    }

    private apply(): void {
        const { clientWidth, clientHeight } = this.box;
        if (!this.svg || !clientWidth) return;
        this.size = [clientWidth, clientHeight];
        this.svg.setAttribute("viewBox", `${this.x} ${this.y} ${clientWidth / this.scale} ${clientHeight / this.scale}`);
    }

    private readonly wheel = (event: WheelEvent) => {
        event.preventDefault();
        const { left, top } = this.box.getBoundingClientRect();
        if (event.ctrlKey || event.metaKey || !event.shiftKey) this.zoom(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
        else {
            this.x += event.deltaY / this.scale;
            this.apply();
        }
    };

    private readonly drag = (event: PointerEvent) => {
        if (event.button !== 0) return;
        let [x, y] = [event.clientX, event.clientY];
        const move = (event: PointerEvent) => {
            this.x -= (event.clientX - x) / this.scale;
            this.y -= (event.clientY - y) / this.scale;
            [x, y] = [event.clientX, event.clientY];
            this.apply();
        };
        const up = () => {
            removeEventListener("pointermove", move);
            removeEventListener("pointerup", up);
        };
        addEventListener("pointermove", move);
        addEventListener("pointerup", up);
    };

    private readonly key = (event: KeyboardEvent) => {
        const step = 60 / this.scale;
        const moves: Record<string, () => void> = {
            ArrowLeft: () => (this.x -= step),
            ArrowRight: () => (this.x += step),
            ArrowUp: () => (this.y -= step),
            ArrowDown: () => (this.y += step),
            "+": () => this.zoom(1.25),
            "-": () => this.zoom(0.8),
            "0": () => this.fit(),
        };
        const move = moves[event.key];
        if (!move || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        move();
        this.apply();
    };
}
