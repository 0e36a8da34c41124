// Writing rules in the browser.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { headline, plays, seat, shot, withPage } from "./support.mjs";

/** Finds a text in the editor, and selects it. */
async function select(page, text) {
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+f");
    await page.locator(".cm-search input[name=search]").pressSequentially(text);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
}

/** Keeps everything that the first language server says from the page. */
async function silent(page) {
    let isFirst = true;
    await page.routeWebSocket("**/ws/lsp", (socket) => {
        const server = socket.connectToServer();
        const isSilent = isFirst;
        isFirst = false;
        server.onMessage((message) => void (isSilent || socket.send(message)));
    });
}

test("an error is marked where it is, and mended by its fix", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await page.locator(".status.good").waitFor();
        await page.locator(".tok-keyword, .sem-keyword").first().waitFor();
        await select(page, "noughts");
        await page.keyboard.type("nougts");
        await page.locator(".cm-lintRange-error").first().waitFor();
        await page.locator(".status.bad").waitFor();
        // The board still shows the last text without errors.
        assert.ok((await page.locator("[data-place]").count()) >= 9);
        await shot(page, "edit-error");
        await page.keyboard.press("Control+z");
        await page.locator(".status.good").waitFor();
    }));

test("a misspelt name has a quick fix", () =>
    withPage({ options: ["ticTacToe.hrg"] }, async (page) => {
        await page.locator(".status.good").waitFor();
        await select(page, "mark(crosses)");
        await page.keyboard.type("mark(crosse)");
        await page.locator(".cm-lintRange-error").first().waitFor();
        await page.keyboard.press("ArrowLeft");
        await page.keyboard.press("ArrowLeft");
        await page.keyboard.press("Control+.");
        await page.locator(".actions button", { hasText: "crosses" }).first().click();
        await page.locator(".status.good").waitFor();
        assert.match(await page.locator(".cm-content").textContent(), /mark\(crosses\)/);
    }));

test("everything follows the text", () =>
    withPage({ options: ["ticTacToe.hrg"] }, async (page) => {
        await page.locator('[data-place="c3"]').waitFor();
        await select(page, "= crosses |");
        await page.keyboard.press("ArrowLeft");
        for (let count = 0; count < 3; count++) await page.keyboard.press("ArrowRight");
        await page.keyboard.press("F2");
        const input = page.locator(".cm-panel input, .cm-dialog input").first();
        await input.fill("kings");
        await page.keyboard.press("Enter");
        await headline(page, "Kings to move");
        await page.locator(".status.good").waitFor();
    }));

test("a file is saved, and its changes by others are noticed", () =>
    withPage({ options: ["ticTacToe.rbg"], files: ["games/rbg/ticTacToe.rbg"] }, async (page, { folder }) => {
        const path = join(folder, "ticTacToe.rbg");
        const before = readFileSync(path, "utf8");
        await page.locator(".status.good").waitFor();
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+Home");
        await page.keyboard.type("// mine\n");
        await page.locator(".dot").waitFor();
        assert.equal(readFileSync(path, "utf8"), before, "only saving writes");
        await page.keyboard.press("Control+s");
        await page.locator(".dot").waitFor({ state: "detached" });
        assert.match(readFileSync(path, "utf8"), /^\/\/ mine/);
        writeFileSync(path, before);
        // Nothing was written here since: there is nothing to decide.
        await page.getByText("is here as it is now").waitFor();
        assert.doesNotMatch(await page.locator(".cm-content").textContent(), /mine/);
        await page.getByRole("button", { name: "Bring back the text before" }).click();
        await page.locator(".cm-line", { hasText: "// mine" }).waitFor();
        await page.locator(".dot").waitFor();
    }));

test("what was written comes back where the file of another program was opened instead", () =>
    withPage({ options: ["ticTacToe.rbg"], files: ["games/rbg/ticTacToe.rbg"] }, async (page, { folder }) => {
        const path = join(folder, "ticTacToe.rbg");
        const before = readFileSync(path, "utf8");
        await page.locator(".status.good").waitFor();
        await seat(page, "noughts", "person");
        await plays(page, "b2");
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+Home");
        await page.keyboard.type("// mine\n");
        await page.locator(".dot").waitFor();
        writeFileSync(path, `// of another one\n${before}`);
        await page.getByText("changed by another program").waitFor();
        await page.getByRole("button", { name: "Open it again" }).click();
        await page.locator(".cm-line", { hasText: "// of another one" }).waitFor();
        await page.locator(".dot").waitFor({ state: "detached" });
        // The rules are the same ones, and the game goes on.
        await page.locator(".record .made").waitFor();
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+z");
        await page.locator(".cm-line", { hasText: "// mine" }).waitFor();
        assert.doesNotMatch(await page.locator(".cm-content").textContent(), /of another one/);
        await page.locator(".dot").waitFor();
        await page.keyboard.press("Control+s");
        await page.locator(".dot").waitFor({ state: "detached" });
        assert.equal(readFileSync(path, "utf8"), `// mine\n${before}`);
    }));

test("a file that is opened again while the page is painted late is open once", () =>
    withPage({ options: ["ticTacToe.rbg"], files: ["games/rbg/ticTacToe.rbg"], isSlow: true }, async (page, { folder }) => {
        const path = join(folder, "ticTacToe.rbg");
        const text = readFileSync(path, "utf8");
        for (let count = 0; count < 3; count++) {
            await page.locator(".status.good").waitFor();
            await page.locator(".sem-keyword, .sem-variable, .sem-function, .sem-type, .sem-enumMember").first().waitFor();
            writeFileSync(path, `// ${count}\n${text}`);
            await page.locator(".cm-line", { hasText: `// ${count}` }).waitFor();
        }
        // The language server still knows the file that is shown.
        await select(page, "noughts");
        await page.keyboard.type("nougts");
        await page.locator(".cm-lintRange-error").first().waitFor();
    }));

test("a bundled game is saved as a file", () =>
    withPage({ options: ["race.rg"] }, async (page, { folder }) => {
        await page.locator(".status.good").waitFor();
        await page.getByRole("button", { name: "Save as…" }).click();
        await page.getByLabel("A path in").fill("own.rg");
        await page.locator("dialog").getByRole("button", { name: "Save" }).click();
        await page.locator(".open", { hasText: "own.rg" }).waitFor();
        assert.ok(readFileSync(join(folder, "own.rg"), "utf8").length > 100);
        await page.locator(".library .name", { hasText: "own.rg" }).waitFor();
    }));

test("another extension is another language", () =>
    withPage({ options: ["race.rg"] }, async (page) => {
        await page.locator(".status.good").waitFor();
        await page.getByRole("button", { name: "Save as…" }).click();
        await page.getByLabel("A path in").fill("own.rbg");
        await page.locator("dialog").getByRole("button", { name: "Save" }).click();
        await page.locator(".open", { hasText: "own.rbg" }).waitFor();
        // What is a game in RG is none in RBG.
        await page.locator(".status.bad").waitFor();
    }));

test("a text that is too large stays in the editor, and is not sent", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page, { folder }) => {
        await page.locator(".status.good").waitFor();
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+Home");
        await page.evaluate(() => navigator.clipboard?.writeText("").catch(() => {}));
        await page.locator(".cm-content").evaluate((content) => {
            const data = new DataTransfer();
            data.setData("text/plain", `// ${"large ".repeat(800_000)}\n`);
            content.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        });
        await page.locator(".notice.bad", { hasText: "too large" }).waitFor();
        await page.keyboard.press("Control+z");
        await page.locator(".status.good").waitFor();
        assert.deepEqual(readdirSync(folder), []);
    }));

test("games are found by a search, with keys alone", () =>
    withPage({}, async (page) => {
        await page.getByText("Open a game", { exact: true }).waitFor();
        await shot(page, "welcome");
        await page.keyboard.press("Alt+0");
        await page.keyboard.type("hexagons draughts".split(" ")[1]);
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await page.locator(".status.good").waitFor();
        await page.locator("[data-place]").first().waitFor();
    }));

for (const name of ["ticTacToe.gdl", "ticTacToe.hrg", "breakthrough.sbg", "ticTacToe.rg"]) {
    test(`${name} opens with colours and a game`, () =>
        withPage({ options: [name] }, async (page) => {
            await page.locator(".status.good").waitFor();
            await page.locator(".sem-keyword, .sem-variable, .sem-function, .sem-type, .sem-enumMember").first().waitFor();
            await page.locator(".headline", { hasText: "to move" }).waitFor();
        }));
}

test("without the secret there is no studio", () =>
    withPage({}, async (page, { address }) => {
        await page.goto("about:blank");
        await page.goto(address.split("#")[0]);
        await page.getByText("The address has no secret").waitFor();
        await page.getByRole("button", { name: "Try again" }).waitFor();
        await shot(page, "lost");
    }));

test("the outline leads to parts of the text, and says where one is", () =>
    withPage({ options: ["breakthrough.rbg"] }, async (page) => {
        await page.locator(".outline summary").waitFor();
        await page.keyboard.press("Control+Shift+O");
        await page.locator(".outline li").nth(3).waitFor();
        await shot(page, "edit-outline");
        const all = await page.locator(".outline li").count();
        await page.getByLabel("Find a part").fill("macro");
        await page.waitForFunction((all) => document.querySelectorAll(".outline li").length < all, all);
        const name = (await page.locator(".outline li button").first().textContent()).split(" ")[0];
        await page.keyboard.press("Enter");
        await page.locator(".outline[open]").waitFor({ state: "detached" });
        await page.locator(".outline summary", { hasText: name }).waitFor();
        assert.ok((await page.locator(".cm-activeLine").textContent()).includes(name));
    }));

test("commands above the rules lead to the panels, with the number of plays", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await page.locator(".lenses button", { hasText: "draw" }).scrollIntoViewIfNeeded();
        await page.locator(".lenses button", { hasText: "draw" }).click();
        await page.locator(".canvas svg").waitFor();
        await page.locator(".lenses button", { hasText: "perft" }).click();
        await page.getByRole("button", { name: "Count" }).waitFor();
        await shot(page, "edit-lenses");
    }));

test("remarks of the language server are in the text without being part of it", () =>
    withPage({ options: ["breakthrough.rbg"] }, async (page) => {
        await page.locator(".remark").first().waitFor();
        // The size of the board, and names of parameters before arguments.
        const remarks = await page.locator(".remark").allTextContents();
        assert.ok(remarks.some((text) => text.includes("8×8")), remarks.join());
        await shot(page, "edit-hints");
        await page.getByRole("button", { name: "Share…" }).click();
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Automaton in RG" }).click()]);
        assert.equal(download.suggestedFilename(), "breakthrough.rg");
        await page.getByRole("button", { name: "Close", exact: true }).click();
        await page.locator(".top .dot").waitFor({ state: "detached" });
    }));

test("a new game is begun, changed, played and saved", () =>
    withPage({ theme: "dark" }, async (page, served) => {
        await page.getByRole("button", { name: "New game…" }).click();
        await page.getByLabel("Name").fill("no name");
        await page.getByRole("button", { name: "Begin", exact: true }).click();
        await page.locator("dialog .notice.bad", { hasText: "cannot have spaces" }).waitFor();
        assert.equal(await page.locator(".notice.bad").count(), 1, "said once");
        await page.getByLabel("Name").fill("crossing");
        await shot(page, "new");
        await page.getByRole("button", { name: "Begin", exact: true }).click();
        await page.locator("dialog").waitFor({ state: "detached" });
        await page.waitForFunction(() => document.activeElement?.closest(".cm-content"), null, "what comes next is to change it");
        await page.locator(".status.good").waitFor();
        await page.locator(".move").first().click();
        await page.locator(".made").first().waitFor();
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+s");
        await page.locator("dialog").getByRole("button", { name: "Save", exact: true }).click();
        await page.locator("dialog").waitFor({ state: "detached" });
        await page.waitForFunction(() => document.activeElement?.closest(".cm-content"));
        await page.locator(".library .entry", { hasText: "crossing.rbg" }).waitFor();
        assert.match(readFileSync(join(served.folder, "crossing.rbg"), "utf8"), /#rules/);
    }));

/** Goes to the end of the rules. */
async function end(page) {
    await page.locator(".status.good").waitFor();
    await page.locator(".sem-keyword, .sem-type").first().waitFor();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
}

const lines = async (page) => page.locator(".cm-content").evaluate((content) => content.cmTile?.view?.state.doc.toString().split("\n") ?? [...content.querySelectorAll(".cm-line")].map((line) => line.textContent));

test("Enter begins a new line where the list has only what is there already", () =>
    withPage({ options: ["ticTacToe.hrg"] }, async (page) => {
        await end(page);
        await page.keyboard.type("\nspare: Axis");
        await page.locator(".cm-tooltip-autocomplete li", { hasText: /^Axis/ }).waitFor();
        // A list does not take a key that comes at once with it.
        await page.waitForTimeout(300);
        await page.keyboard.press("Enter");
        await page.keyboard.type("other: Axis");
        const [before, last] = (await lines(page)).slice(-2);
        assert.deepEqual([before.trim(), last.trim()], ["spare: Axis", "other: Axis"]);
    }));

test("a line behind an opening bracket is indented, and its closing bracket is not", () =>
    withPage({ options: ["ticTacToe.hrg"] }, async (page) => {
        await end(page);
        await page.keyboard.type("\ngraph spare() {\n$ one");
        assert.deepEqual((await lines(page)).slice(-3), ["graph spare() {", "  $ one", "}"]);
        await page.keyboard.press("Enter");
        await page.keyboard.type("$ two");
        assert.deepEqual((await lines(page)).slice(-4), ["graph spare() {", "  $ one", "  $ two", "}"]);
    }));

test("a finding's bubble is over when one goes elsewhere, and a list as well", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await page.locator(".status.good").waitFor();
        await select(page, "noughts");
        await page.keyboard.type("nougts");
        await page.locator(".cm-lintRange-error", { hasText: "nougts" }).waitFor();
        const bubble = page.locator(".cm-tooltip-hover, .cm-tooltip-lint");
        await page.keyboard.press("F8");
        await bubble.first().waitFor();
        await page.locator(".headline").click();
        await bubble.first().waitFor({ state: "detached" });
        await page.locator(".cm-content").click();
        await page.keyboard.press("F8");
        await bubble.first().waitFor();
        await page.keyboard.press("Escape");
        await bubble.first().waitFor({ state: "detached" });
        await page.keyboard.press("Control+Space");
        const list = page.locator(".cm-tooltip-autocomplete");
        await list.waitFor();
        const [box, pane] = [await list.boundingBox(), await page.locator(".cm-scroller").boundingBox()];
        assert.ok(box.x + box.width <= pane.x + pane.width + 1, "it stays over the rules");
        await page.locator(".headline").click();
        await list.waitFor({ state: "detached" });
    }));

test("the bar at the top counts findings, and leads to them", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await page.locator(".status.good").waitFor();
        await select(page, "noughts");
        await page.keyboard.type("nougts");
        await page.keyboard.press("Control+Home");
        const status = page.locator("button.status.bad", { hasText: "error" });
        await status.waitFor();
        await page.locator(".cm-lintRange-error").first().waitFor();
        await status.click();
        await page.waitForFunction(() => document.activeElement?.closest(".cm-content") && document.querySelector(".cm-activeLine .cm-lintRange-error"));
        await page.keyboard.press("Alt+1");
        await page.keyboard.press("Alt+9");
        await page.locator(".cm-content:focus").waitFor();
    }));

test("findings are listed with their lines, errors first, and lead to their places", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await page.locator(".status.good").waitFor();
        // A variable that can only be 0, and below it a name that is misspelt.
        await select(page, "#variables =");
        await page.keyboard.type("#variables = spare(0)");
        await select(page, "noughts; crosses");
        await page.keyboard.type("nougts; crosses");
        await page.locator("button.status.bad", { hasText: "1 error, 1 warning" }).waitFor();
        await page.keyboard.press("Control+Shift+M");
        const rows = page.locator(".findings li button");
        await rows.nth(1).waitFor();
        const [error, other] = await rows.allTextContents();
        const line = (text) => Number(/^line (\d+)/.exec(text)[1]);
        assert.match(error, /^line \d+ error .*nougts/);
        assert.match(other, /^line \d+ warning a bound of 0/);
        assert.ok(line(other) < line(error), `${error} ${other}`);
        await shot(page, "edit-findings");
        // The keys are in the list: the first one is chosen.
        await page.keyboard.press("Enter");
        await page.waitForFunction(() => document.activeElement?.closest(".cm-content") && document.querySelector(".cm-activeLine .cm-lintRange-error"));
        assert.equal(await page.locator(".findings[open]").count(), 0, "the list has closed");
        // Beside the word, at the end of its line, the fix is the same.
        await page.keyboard.press("End");
        await page.keyboard.press("Control+.");
        await page.locator(".actions button", { hasText: "noughts" }).first().click();
        await page.waitForFunction(() => !document.querySelector(".cm-lintRange-error"));
    }));

test("a language server that does not answer is no error of the page, and is asked again", () =>
    withPage({ options: ["ticTacToe.hrg"], before: silent }, async (page) => {
        await page.locator(".status.good").waitFor();
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+End");
        await page.keyboard.type("graph spare(");
        await page.waitForTimeout(200);
        // Longer than the page waits for an answer.
        await page.waitForTimeout(17_000);
        // The page has opened another socket, whose server answers.
        await page.keyboard.type(") { $ one }");
        await page.locator(".sem-keyword, .sem-type").first().waitFor();
    }));

test("Enter in the search opens the first game that fits, and names come first", () =>
    withPage({}, async (page) => {
        await page.getByText("Open a game", { exact: true }).waitFor();
        await page.locator(".library .entry").first().waitFor();
        await page.locator("#search").fill("tic-tac-toe");
        assert.match(await page.locator(".library .entry .name").first().textContent(), /tic-tac-toe/i);
        await page.keyboard.press("Enter");
        await page.locator(".status.good").waitFor();
        await page.locator(".top .open", { hasText: /tictactoe/i }).waitFor();
    }));
