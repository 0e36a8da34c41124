// How long a user waits: RGC=PATH_OF_RGC node measure.mjs, with a release build. Chess, five studios one after the other; milliseconds, median and maximum.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const RUNS = 5;
const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const browser = await chromium.launch({ executablePath: BROWSERS.find((path) => path && existsSync(path)), args: ["--no-sandbox", "--disable-gpu"] });
const times = new Map();
const note = (what, time) => times.set(what, [...(times.get(what) ?? []), time]);

/** Clicks a square of the position, and how long it takes until a move has been made. */
const click = async (place) => {
    const square = document.querySelector(`.board [data-place="${place}"]`);
    const made = document.querySelectorAll(".made").length;
    const begin = performance.now();
    for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) square.dispatchEvent(new MouseEvent(type, { bubbles: true }));
    while (document.querySelectorAll(".made").length === made && performance.now() - begin < 1000) await new Promise((done) => setTimeout(done, 1));
    return performance.now() - begin;
};

for (let run = 0; run < RUNS; run++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const folder = mkdtempSync(join(tmpdir(), "rgc-measure-"));
    let begin = performance.now();
    const child = spawn(process.env.RGC ?? "rgc", ["studio", "--no-open", "chess.rbg"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    const address = await new Promise((resolve) => child.stdout.on("data", (data) => resolve(String(data).trim())));
    await page.goto(address);
    await page.locator('.board [data-place="e2"]').waitFor();
    note("from the command to a board", performance.now() - begin);
    for (const seat of [0, 1]) await page.locator(".seat").nth(seat).locator("select").selectOption("person");
    await page.waitForTimeout(2000);
    await page.evaluate(click, "e2");
    note("from a click to the move", await page.evaluate(click, "e4"));
    await page.locator(".cm-line").first().click();
    await page.keyboard.press("Control+End");
    begin = performance.now();
    await page.keyboard.press("}");
    await page.locator(".cm-lint-marker-error").first().waitFor();
    note("from a key to a finding", performance.now() - begin);
    await page.keyboard.press("Backspace");
    await page.waitForTimeout(1500);
    begin = performance.now();
    await page.getByRole("tab", { name: "Automaton" }).click();
    await page.locator(".canvas .n").first().waitFor();
    note("the automaton", performance.now() - begin);
    child.kill();
    await context.close();
    rmSync(folder, { recursive: true });
}
for (const [what, list] of times) {
    list.sort((a, b) => a - b);
    console.log(`${what}: ${list[RUNS >> 1].toFixed(0)}, at most ${list[RUNS - 1].toFixed(0)}`);
}
await browser.close();
