// What one stumbles over in the editor and the panels: layouts that move, words that are broken, questions, brackets.

import assert from "node:assert/strict";
import { test } from "node:test";
import { clicks, headline, seat, shot, withPage } from "./support.mjs";

const SMALL = { viewport: { width: 1024, height: 768 } };

const tab = (page, name) => page.getByRole("tab", { name }).click();

/** The text of the editor from its first line on, as far as it is drawn. */
const lines = (page) => page.locator(".cm-line").allTextContents();

test("an edge of the automaton leads to where it is written", () =>
    withPage({ options: ["ticTacToe.hrg"] }, async (page) => {
        await tab(page, "Automaton");
        const label = page.locator(".canvas text[data-from]", { hasText: "cell" }).first();
        await label.waitFor();
        const text = await label.textContent();
        await label.dispatchEvent("click");
        await page.waitForFunction(() => (document.querySelector(".cm-activeLine")?.textContent ?? "").includes("cell"));
        const line = await page.locator(".cm-activeLine").textContent();
        // An arrow without a label as well, to another place than that.
        const arrows = page.locator(".canvas path[data-from]");
        assert.ok((await arrows.count()) > 10, text);
        for (let at = 0; at < 10; at++) await arrows.nth(at).dispatchEvent("click");
        await page.waitForFunction((line) => document.querySelector(".cm-activeLine")?.textContent !== line, line);
    }));

test("answers of the automaton and of the passes move nothing", () =>
    withPage({ options: ["breakthrough.hrg"], screen: SMALL }, async (page) => {
        await seat(page, "black", "person");
        const top = (name) => page.locator(name).first().evaluate((part) => part.getBoundingClientRect().top);
        await tab(page, "Automaton");
        await page.locator(".canvas .n").first().waitFor();
        const drawing = await top(".graph .canvas");
        await page.getByLabel("Find in the automaton").fill("nothing has this name");
        await page.keyboard.press("Enter");
        await page.locator(".graph .facts b").waitFor();
        assert.equal(await top(".graph .canvas"), drawing);
        await tab(page, "Play");
        await clicks(page, "a2", "a3");
        await headline(page, "Black to move");
        await tab(page, "Automaton");
        await page.locator("button.answer-key").waitFor();
        assert.equal(await top(".graph .canvas"), drawing);
        await tab(page, "Passes");
        await page.locator(".passes .sizes").waitFor();
        const chart = await top(".passes .sizes");
        await page.getByRole("button", { name: "Verify" }).click();
        await page.locator(".verdict").waitFor();
        assert.equal(await top(".passes .sizes"), chart);
        await shot(page, "details-verified");
    }));

test("in a narrow panel the game before and after a run is one text", () =>
    withPage({ options: ["ticTacToe.rbg"], screen: SMALL }, async (page) => {
        await tab(page, "Passes");
        await page.locator(".difference .cm-editor").first().waitFor();
        await page.locator(".difference .cm-deletedChunk, .difference .cm-changedLine").first().waitFor();
        assert.equal(await page.locator(".difference .cm-editor").count(), 1);
        await shot(page, "details-unified");
        // With room for both, they are side by side.
        await page.setViewportSize({ width: 1900, height: 900 });
        await page.locator(".difference .cm-editor").nth(1).waitFor();
    }));

test("heads of columns are broken between words only", () =>
    withPage({ options: ["ticTacToe.rbg"], screen: SMALL }, async (page) => {
        await tab(page, "Measure");
        await page.getByLabel("seconds for an engine").fill("0.5");
        await page.getByRole("button", { name: "Measure" }).click();
        await page.locator("tr[data-engine]").first().waitFor();
        const broken = await page.locator(".wide thead th").evaluateAll((heads) =>
            heads.flatMap((head) => {
                const walker = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
                const parts = [];
                while (walker.nextNode()) {
                    const range = document.createRange();
                    range.selectNodeContents(walker.currentNode);
                    // Each part of a name is in one line.
                    if (range.getClientRects().length > 1) parts.push(head.textContent);
                }
                return parts;
            }),
        );
        assert.deepEqual(broken, []);
        await page.getByRole("button", { name: "Stop" }).click();
    }));

test("findings say how they are mended", () =>
    withPage({ options: ["ticTacToe.hrg"] }, async (page) => {
        await page.locator(".status.good").waitFor();
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+f");
        await page.locator(".cm-search input[name=search]").pressSequentially("mark(crosses)");
        await page.keyboard.press("Enter");
        await page.keyboard.press("Escape");
        await page.keyboard.type("mark(crosse)");
        await page.locator(".cm-lintRange-error").first().waitFor();
        await page.locator(".findings summary").click();
        await page.locator(".findings .mend", { hasText: "crosses" }).first().waitFor();
        await shot(page, "details-findings");
    }));

test("a bracket that closes a block leads behind the one that is there", () =>
    withPage({ options: ["ticTacToe.hrg"] }, async (page) => {
        await page.locator(".status.good").waitFor();
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+Home");
        await page.keyboard.type("graph more() {");
        await page.keyboard.press("Enter");
        await page.keyboard.type("cell = Cell(*)");
        await page.keyboard.press("Enter");
        await page.keyboard.type("}");
        const text = (await lines(page)).slice(0, 3);
        assert.deepEqual([text[0], text[1].trim(), text[2].slice(0, 1)], ["graph more() {", "cell = Cell(*)", "}"]);
        assert.notEqual((await lines(page))[3]?.trim(), "}");
        await page.keyboard.type(" // typed on");
        assert.match((await lines(page))[2], /^} \/\/ typed on/);
        // Where one is missing, another one is written.
        await page.keyboard.press("Home");
        await page.keyboard.press("Delete");
        await page.keyboard.type("}");
        assert.match((await lines(page))[2], /^}/);
    }));

test("the studio itself asks whether changes may be left", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        const native = [];
        page.on("dialog", (dialog) => native.push(dialog.type()));
        await page.locator(".status.good").waitFor();
        await page.locator(".cm-content").click();
        await page.keyboard.type("// mine");
        const other = page.locator(".library .entry", { hasText: "Breakthrough" }).first();
        await other.click();
        await page.locator("dialog", { hasText: "ticTacToe.rbg has changes that are not saved" }).waitFor();
        await shot(page, "details-leave");
        await page.keyboard.press("Escape");
        await page.locator("dialog").waitFor({ state: "detached" });
        await page.locator(".open", { hasText: "ticTacToe.rbg" }).waitFor();
        assert.match(await page.locator(".cm-content").textContent(), /\/\/ mine/);
        await other.click();
        await page.locator("dialog").getByRole("button", { name: "Discard" }).click();
        await page.locator(".open", { hasText: "breakthrough" }).waitFor();
        assert.deepEqual(native, []);
    }));
