// A studio, a browser and a page for a test. A test fails if the page writes an error to the console, throws, or breaks its content policy.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
export const root = resolve(here, "../../..");
export const program = resolve(process.env.RGC ?? join(root, "target/debug/rgc"));
const shots = join(root, "target/shots");

const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** The browser of the tests of a file, which starts when a page is first needed. Each page has a context, so a store and a cache, of its own. */
let browser;
const launched = () => {
    browser ??= chromium.launch({ executablePath: BROWSERS.find((path) => path && existsSync(path)), args: FLAGS });
    return browser;
};
after(async () => (await browser)?.close());

/** Starts a studio; the result has its address, its folder, and ends it. */
export async function studio(options = [], files = []) {
    const folder = mkdtempSync(join(tmpdir(), "rgc-studio-"));
    for (const file of files) cpSync(join(root, file), join(folder, file.split("/").at(-1)));
    const child = spawn(program, ["studio", "--no-open", ...options], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    const address = await new Promise((resolve, reject) => {
        child.on("exit", (code) => reject(new Error(`rgc studio ended with ${code}`)));
        child.stdout.on("data", (data) => resolve(String(data).trim()));
    });
    const end = () => {
        child.removeAllListeners("exit");
        child.kill();
        rmSync(folder, { recursive: true });
    };
    return { address, folder, end };
}

/** Lets everything that waits for a frame wait for long, as in a browser that has no time to paint. */
function paintLate() {
    const { setTimeout } = window;
    window.requestAnimationFrame = (callback) => setTimeout(() => callback(performance.now()), 500);
    // What waits for a frame also gives up after the time of two.
    window.setTimeout = (callback, delay = 0, ...rest) => setTimeout(callback, delay > 0 && delay < 40 ? 500 : delay, ...rest);
}

/** Runs a test with a page of a studio, which is painted late if it is slow. */
export async function withPage({ options = [], files = [], ...rest }, test) {
    const served = await studio(options, files);
    try {
        await withFile({ address: served.address, ...rest }, (page) => test(page, served));
    } finally {
        served.end();
    }
}

/** Runs a test with a page at an address, which may be a file. `before` prepares the page; `screen` says how large it is, and whether it is touched. */
export async function withFile({ address, theme = "light", isSlow = false, screen = {}, before = async () => {} }, test) {
    const context = await (await launched()).newContext({ viewport: { width: 1280, height: 800 }, colorScheme: theme, ...screen });
    try {
        const page = await context.newPage();
        // Long enough for a machine that does other things as well.
        page.setDefaultTimeout(60_000);
        if (isSlow) await page.addInitScript(paintLate);
        const wrong = [];
        if (process.env.STUDIO_DIST) {
            // While working on the page: without building the program anew.
            for (const [file, type] of [["app.js", "text/javascript"], ["app.css", "text/css"]]) {
                await page.route(`**/${file}`, (route) => route.fulfill({ path: join(root, "studio/dist", file), contentType: type }));
            }
        }
        page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
        page.on("pageerror", (error) => wrong.push(String(error)));
        page.on("dialog", (dialog) => void dialog.accept());
        await before(page);
        await page.goto(address);
        try {
            await test(page);
        } catch (error) {
            await shot(page, "failed").catch(() => {});
            console.error(wrong.join("\n"));
            throw error;
        }
        assert.deepEqual(wrong, [], "errors on the console");
        await nameless(page);
    } finally {
        await context.close();
    }
}

/** Every control that can be seen has a name for those who cannot see it. */
async function nameless(page) {
    const found = await page.locator("button:visible, select:visible, input:visible, [role=button]:visible").evaluateAll((controls) =>
        controls
            .filter((control) => !(control.textContent?.trim() || control.getAttribute("aria-label") || control.labels?.length || control.title || control.closest(".cm-editor")))
            .map((control) => control.outerHTML),
    );
    assert.deepEqual(found, [], "controls without a name");
}

/** Keeps a picture of the page for people to look at. */
export async function shot(page, name) {
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: join(shots, `${name}.png`) });
}

/** The place of a board with this label. */
export const place = (page, label) => page.locator(`.board [data-place="${label}"]`);

/** Clicks on places, one after the other. */
export async function clicks(page, ...labels) {
    for (const label of labels) await place(page, label).click();
}

/** Makes moves of one click each, every one when the one before has been made. */
export async function plays(page, ...labels) {
    const made = page.locator(".record .made");
    for (const label of labels) {
        const before = await made.count();
        await place(page, label).click();
        await made.nth(before).waitFor();
    }
}

/** Waits for a text in the line that tells how the play stands. */
export const headline = (page, text) => page.locator(".headline", { hasText: text }).waitFor();

/** Chooses who plays a player. */
export const seat = (page, player, agent) => page.locator(".seat", { hasText: player }).locator("select").selectOption(agent);
