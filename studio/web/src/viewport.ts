// Moving about in a large picture: dragging, the wheel, and keys change its `viewBox`.

const LEAST = 0.02;
const MOST = 3;

export class Viewport {
    private x = 0;
    private y = 0;
    /** Pixels of the screen for a unit of the picture. */
    private scale = 1;
    private width = 1;
    private height = 1;
    private svg: SVGSVGElement | null = null;

    constructor(private readonly box: HTMLElement) {
        box.addEventListener("wheel", this.wheel, { passive: false });
        box.addEventListener("pointerdown", this.drag);
        box.addEventListener("keydown", this.key);
        new ResizeObserver(() => this.apply()).observe(box);
    }

    /** Another picture; it is shown from where the one before was, if that is wanted. */
    show(svg: SVGSVGElement | null, stay: boolean): void {
        this.svg = svg;
        if (!svg) return;
        const { width, height } = svg.viewBox.baseVal;
        [this.width, this.height] = [width, height];
        svg.removeAttribute("width");
        svg.removeAttribute("height");
        if (stay) this.apply();
        else this.fit();
    }

    /** The whole picture, or its beginning if it would be too small to read. */
    fit(): void {
        const { clientWidth, clientHeight } = this.box;
        const whole = Math.min(clientWidth / this.width, clientHeight / this.height);
        this.scale = Math.min(1, Math.max(whole, 0.6));
        this.x = (this.width - clientWidth / this.scale) / 2;
        this.y = Math.min(0, (this.height - clientHeight / this.scale) / 2);
        const begin = this.svg?.querySelector<SVGGraphicsElement>('[data-node="begin"]');
        if (begin && whole < this.scale) {
            // Not all of it can be seen: it begins in the middle.
            const { x, y, width } = begin.getBBox();
            this.x = x + width / 2 - clientWidth / this.scale / 2;
            this.y = y - 40 / this.scale;
        }
        this.apply();
    }

    /** Brings an element of the picture into the middle. */
    reveal(element: SVGGraphicsElement): void {
        const { x, y, width, height } = element.getBBox();
        this.scale = Math.max(this.scale, 0.6);
        this.x = x + width / 2 - this.box.clientWidth / this.scale / 2;
        this.y = y + height / 2 - this.box.clientHeight / this.scale / 2;
        this.apply();
    }

    zoom(factor: number, x = this.box.clientWidth / 2, y = this.box.clientHeight / 2): void {
        const scale = Math.min(MOST, Math.max(LEAST, this.scale * factor));
        this.x += x / this.scale - x / scale;
        this.y += y / this.scale - y / scale;
        this.scale = scale;
        this.apply();
    }

    private apply(): void {
        const { clientWidth, clientHeight } = this.box;
        if (!this.svg || !clientWidth) return;
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
