// Links that carry a game, and pages that need no server.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { headline, place, plays, program, seat, shot, studio, withFile, withPage } from "./support.mjs";

const share = (page) => page.getByRole("button", { name: "Share…" }).click();

/** The link to what is shown. */
async function linkOf(page) {
    await share(page);
    await page.waitForFunction(() => document.querySelector("[aria-label=Link]")?.value.includes("#g="));
    const link = await page.getByLabel("Link").inputValue();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    return link;
}

test("a link carries the rules, the moves and the position", () =>
    withPage({ options: ["connectFour.rbg"] }, async (page) => {
        await seat(page, "red", "person");
        await plays(page, "d1", "d2", "e1");
        await page.locator(".record .made").nth(2).waitFor();
        await page.getByLabel("Position before").click();
        await headline(page, "Yellow to move");
        const link = await linkOf(page);
        assert.ok(link.length < 8000, `${link.length}`);
        assert.ok(!link.includes("t="), "the secret stays here");
        // In another studio, by the command.
        const other = await studio([link]);
        try {
            const tab = await page.context().newPage();
            await tab.goto(other.address);
            await tab.locator(".record .made[aria-current=true]").waitFor();
            assert.equal(await tab.locator(".record .made").count(), 3);
            assert.equal(await tab.locator(".record .made[aria-current=true]").textContent(), await page.locator(".record .made").nth(1).textContent());
            assert.match(await tab.locator(".top .open").textContent(), /connectFour\.rbg/);
            assert.ok(!tab.url().includes("g="));
            await tab.close();
        } finally {
            other.end();
        }
        // In this one, where games are searched; with other rules before.
        await page.locator(".library .entry", { hasText: "Breakthrough" }).first().click();
        await place(page, "a2").waitFor();
        await page.locator("#search").fill(link);
        await page.locator(".record .made").nth(2).waitFor();
        assert.equal(await page.locator("#search").inputValue(), "");
        await page.locator("#search").fill("x#g=AAAA");
        await page.locator(".notice.bad", { hasText: "damaged" }).waitFor();
    }));

test("a damaged link is told of where no game is open", () =>
    withPage({}, async (page, { address }) => {
        await page.getByText("Open a game", { exact: true }).waitFor();
        await page.goto("about:blank");
        await page.goto(`${address}&g=AAAA`);
        await page.locator(".notice.bad", { hasText: "damaged" }).waitFor();
        await page.getByRole("button", { name: "Dismiss" }).click();
        await page.locator(".notice.bad").waitFor({ state: "detached" });
    }));

test("without the secret, a link says how it is opened", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        const link = await linkOf(page);
        const tab = await page.context().newPage();
        await tab.goto(link);
        await tab.locator(".notice", { hasText: "rgc studio 'LINK'" }).waitFor();
        await tab.close();
    }));

test("a page that was saved opens from the disk", async () => {
    let file = null;
    await withPage({ options: ["ticTacToe.rbg"] }, async (page, served) => {
        await seat(page, "noughts", "person");
        await plays(page, "a1", "b1", "a2", "b2", "a3");
        await headline(page, "crosses wins");
        await share(page);
        await shot(page, "share");
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the page" }).click()]);
        assert.equal(download.suggestedFilename(), "ticTacToe-rbg.html");
        file = join(tmpdir(), `rgc-page-${process.pid}.html`);
        await download.saveAs(file);
        const [board] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Board as SVG" }).click()]);
        assert.match(readFileSync(await board.path(), "utf8"), /^<svg[^>]*><style[^>]*>/);
    });
    await withFile({ address: `${pathToFileURL(file)}` }, async (page) => {
        await page.locator(".record .made").nth(4).waitFor();
        // It begins with the position that was shown.
        await headline(page, "crosses wins");
        await page.keyboard.press("ArrowLeft");
        await headline(page, "Crosses to move");
        await page.waitForURL(/#ply=4$/);
        // On a telephone, the board is above the rules, and nothing is cut.
        await page.setViewportSize({ width: 420, height: 800 });
        await page.waitForFunction(() => document.documentElement.scrollWidth <= 420);
        const [board, rules] = [await page.locator(".board").boundingBox(), await page.locator(".rules").boundingBox()];
        assert.ok(board.y + board.height <= rules.y && board.width > 200, JSON.stringify({ board, rules }));
    });
    rmSync(file);
});

test("a folder of pages: rules, a game, the automaton and the passes, in both themes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "rgc-site-"));
    try {
        const games = mkdtempSync(join(tmpdir(), "rgc-games-"));
        for (const name of ["breakthrough.rbg", "ticTacToe.hrg", "breakthrough.sbg"]) execFileSync("cp", [join(import.meta.dirname, "../../../games", name.split(".")[1], name), games]);
        execFileSync(program, ["studio", games, "--export", folder, "--players", "random"]);
        rmSync(games, { recursive: true });
        for (const theme of ["light", "dark"]) {
            await withFile({ address: `${pathToFileURL(join(folder, "index.html"))}`, theme }, async (page) => {
                assert.equal(await page.locator(".site a").count(), 3);
                await shot(page, `site-${theme}`);
                await page.locator(".site a", { hasText: "Regular Boardgames" }).click();
                await page.locator(".board svg").waitFor();
                await page.getByLabel("Position", { exact: true }).fill("5");
                await page.locator(".record .made[aria-current=true]").waitFor();
                await shot(page, `page-replay-${theme}`);
                await page.getByRole("tab", { name: "Automaton" }).click();
                await page.locator(".canvas .n").nth(3).dispatchEvent("click");
                await page.locator(".rules .marked").first().waitFor();
                await page.locator(".rules li").nth(10).click();
                await shot(page, `page-automaton-${theme}`);
                await page.getByRole("tab", { name: "Passes" }).click();
                await page.locator(".unified .removed").first().waitFor();
                const before = await page.locator(".unified").textContent();
                await page.locator(".runs").focus();
                await page.keyboard.press("j");
                await page.waitForFunction((before) => document.querySelector(".unified")?.textContent !== before, before);
                await shot(page, `page-passes-${theme}`);
            });
        }
    } finally {
        rmSync(folder, { recursive: true });
    }
});
