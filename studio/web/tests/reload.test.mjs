// What stays when a page is loaded again, when its server ends, and when others write the same file.

import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { headline, plays, root, seat, shot, withPage } from "./support.mjs";

/** Writes something at the beginning of the rules. */
async function write(page, text) {
    await page.locator(".status.good").waitFor();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type(text);
    await page.locator(".top .dot").waitFor();
}

const line = (page, text) => page.locator(".cm-line", { hasText: text });

/** Waits until a text is kept in the store of the tab. */
const isKept = (page, text) => page.waitForFunction((text) => sessionStorage.getItem("rgc-studio-draft")?.includes(text), text);

/** What is kept in the store of the tab. */
const draft = (page) => page.evaluate(() => JSON.parse(sessionStorage.getItem("rgc-studio-draft")));

/** Leaves the page, and comes back to it when something else has happened. */
async function away(page, happen) {
    const address = page.url();
    await page.goto("about:blank");
    happen();
    await page.goto(address);
}

/** What the page says of other programs; and of what is left in the tab. */
const foreign = (page) => page.locator(".notice", { hasText: "changed by another program" });
const offer = (page) => page.locator(".notice", { hasText: "ticTacToe.rbg has changes in this tab" });

/** Tries to save, which is refused until somebody has decided which text stays. */
async function saveInVain(page) {
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+s");
    await page.locator(".notice.bad", { hasText: "Not saved. The file was changed by another program" }).waitFor();
}

/** Keeps the text of the page, and saves it. */
async function saveAnyway(page) {
    await foreign(page).getByRole("button", { name: "Keep this text" }).click();
    await foreign(page).waitFor({ state: "detached" });
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+s");
    await page.locator(".top .dot").waitFor({ state: "detached" });
}

/** Ends the connection of the page to its server. */
async function disconnect(page) {
    await page.evaluate(() => {
        const { send } = WebSocket.prototype;
        WebSocket.prototype.send = function (text) {
            if (!this.url.endsWith("/ws/app")) return send.call(this, text);
            WebSocket.prototype.send = send;
            this.close();
        };
    });
    await page.keyboard.type(" ");
    await page.locator(".notice.bad", { hasText: "Not connected" }).waitFor();
}

test("a page that is loaded again has the game, what was not saved, and the moves", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await write(page, "// mine\n");
        await page.locator("[data-good='8']").waitFor();
        await seat(page, "noughts", "person");
        await plays(page, "b2", "a1");
        await page.getByLabel("Position before").click();
        await headline(page, "Noughts to move");
        await page.waitForFunction(() => JSON.parse(sessionStorage.getItem("rgc-studio-draft")).ply === 1);
        assert.match(page.url(), /game=ticTacToe\.rbg/);
        await page.reload();
        await line(page, "// mine").waitFor();
        await page.locator(".notice", { hasText: "Changes that were not saved are back" }).waitFor();
        await page.locator(".record .made[aria-current=true]").waitFor();
        await page.locator(".record .made").nth(1).waitFor();
        assert.equal(await page.locator(".record .made").count(), 2);
        await headline(page, "Noughts to move");
        await page.locator(".top .dot").waitFor();
        await page.getByRole("button", { name: "Discard them" }).click();
        await line(page, "// mine").waitFor({ state: "detached" });
        assert.equal(await page.evaluate(() => JSON.stringify(sessionStorage).includes(new URLSearchParams(location.hash.slice(1)).get("t"))), false, "the secret is not kept");
    }));

test("a new game that was not saved is there when the page is loaded again", () =>
    withPage({}, async (page) => {
        await page.getByRole("button", { name: "New game…" }).click();
        await page.getByLabel("Name").fill("mine");
        await page.getByRole("button", { name: "Begin", exact: true }).click();
        await page.locator("dialog").waitFor({ state: "detached" });
        // The keys are in the rules.
        await page.locator(".cm-content:focus").waitFor();
        await page.keyboard.type("// first\n");
        await isKept(page, "// first");
        await page.reload();
        await line(page, "// first").waitFor();
    }));

test("what was left in a tab is offered where another game is opened", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page, { address }) => {
        await write(page, "// mine\n");
        await isKept(page, "// mine");
        await page.goto("about:blank");
        await page.goto(address);
        await page.locator(".notice", { hasText: "ticTacToe.rbg has changes in this tab" }).waitFor();
        await page.getByRole("button", { name: "Open it" }).click();
        await line(page, "// mine").waitFor();
    }));

test("the text stays in the page when the server is gone", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await write(page, "// mine\n");
        await disconnect(page);
        await line(page, "// mine").waitFor();
        // That is said once, whatever is tried.
        await page.locator(".status.bad", { hasText: "not connected" }).waitFor();
        await page.getByRole("button", { name: "New game", exact: true }).click();
        for (const name of ["Automaton", "Passes", "Play"]) await page.getByRole("tab", { name }).click();
        const notices = await page.locator(".notice.bad").allTextContents();
        assert.equal(notices.length, 1, notices.join("\n"));
        assert.doesNotMatch(notices[0], /`/);
        assert.equal(await page.locator(".notice.bad code").first().textContent(), "rgc studio");
        assert.doesNotMatch(await page.locator(".top").textContent(), /reading/);
        await shot(page, "gone");
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Keep the text as a file" }).click()]);
        assert.match(readFileSync(await download.path(), "utf8"), /^\/\/ mine/);
        // All is kept: nothing is asked.
        const asked = [];
        page.on("dialog", (dialog) => asked.push(dialog.type()));
        await page.getByRole("button", { name: "Try again" }).click();
        await page.locator(".notice.bad", { hasText: "Not connected" }).waitFor({ state: "detached" });
        await line(page, "// mine").waitFor();
        assert.deepEqual(asked, []);
        await page.locator("[data-place]").first().waitFor();
    }));

test("a text that is kept against another program replaces the file when it is saved", () =>
    withPage({ options: ["ticTacToe.rbg"], files: ["games/rbg/ticTacToe.rbg"] }, async (page, { folder }) => {
        const path = join(folder, "ticTacToe.rbg");
        await write(page, "// mine\n");
        writeFileSync(path, "// of another one\n");
        await page.getByText("changed by another program").waitFor();
        // Whoever has not seen that is stopped once more.
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+s");
        await page.getByRole("button", { name: "Keep this text" }).click();
        assert.equal(readFileSync(path, "utf8"), "// of another one\n");
        await page.keyboard.press("Control+s");
        await page.locator(".top .dot").waitFor({ state: "detached" });
        assert.match(readFileSync(path, "utf8"), /^\/\/ mine/);
    }));

test("what another program writes after that is not replaced", () =>
    withPage({ options: ["ticTacToe.rbg"], files: ["games/rbg/ticTacToe.rbg"] }, async (page, { folder }) => {
        const path = join(folder, "ticTacToe.rbg");
        await write(page, "// mine\n");
        writeFileSync(path, "// of another one\n");
        await foreign(page).getByRole("button", { name: "Keep this text" }).click();
        await foreign(page).waitFor({ state: "detached" });
        writeFileSync(path, "// of another one, who goes on\n");
        await foreign(page).waitFor();
        await saveInVain(page);
        assert.equal(readFileSync(path, "utf8"), "// of another one, who goes on\n");
        await saveAnyway(page);
        assert.match(readFileSync(path, "utf8"), /^\/\/ mine/);
    }));

test("what another program writes just before a text is saved is not replaced", () =>
    withPage({ options: ["ticTacToe.rbg"], files: ["games/rbg/ticTacToe.rbg"] }, async (page, { folder }) => {
        const path = join(folder, "ticTacToe.rbg");
        await write(page, "// mine\n");
        writeFileSync(path, "// of another one\n");
        await foreign(page).getByRole("button", { name: "Keep this text" }).click();
        await foreign(page).waitFor({ state: "detached" });
        await page.locator(".cm-content").click();
        // The page is not told of this before it saves.
        writeFileSync(path, "// of another one, who goes on\n");
        await page.keyboard.press("Control+s");
        await foreign(page).getByText("Not saved").waitFor();
        assert.equal(readFileSync(path, "utf8"), "// of another one, who goes on\n");
        await saveAnyway(page);
        assert.match(readFileSync(path, "utf8"), /^\/\/ mine/);
    }));

test("what another program writes while the page is away is not replaced before that is decided", () =>
    withPage({ options: ["ticTacToe.rbg"], files: ["games/rbg/ticTacToe.rbg"] }, async (page, { folder }) => {
        const path = join(folder, "ticTacToe.rbg");
        await write(page, "// mine\n");
        await isKept(page, "// mine");
        await away(page, () => writeFileSync(path, "// of another one\n"));
        await line(page, "// mine").waitFor();
        await foreign(page).waitFor();
        await saveInVain(page);
        await page.getByRole("button", { name: "Save as…" }).click();
        await page.locator("dialog").getByRole("button", { name: "Save", exact: true }).click();
        await page.locator("dialog").getByRole("button", { name: "Replace it" }).waitFor();
        await page.locator("dialog").getByRole("button", { name: "Cancel" }).click();
        await page.locator("dialog").waitFor({ state: "detached" });
        // Another load decides nothing.
        await page.reload();
        await foreign(page).waitFor();
        await saveInVain(page);
        assert.equal(readFileSync(path, "utf8"), "// of another one\n");
        await saveAnyway(page);
        assert.match(readFileSync(path, "utf8"), /^\/\/ mine/);
    }));

test("what cannot be opened again is offered until it can", () =>
    withPage({ options: ["ticTacToe.rbg"], files: ["games/rbg/ticTacToe.rbg"] }, async (page, { folder }) => {
        const path = join(folder, "ticTacToe.rbg");
        const before = readFileSync(path);
        await write(page, "// mine\n");
        await isKept(page, "// mine");
        await away(page, () => rmSync(path));
        await page.locator(".notice.bad", { hasText: "ticTacToe.rbg" }).waitFor();
        await page.reload();
        const [download] = await Promise.all([page.waitForEvent("download"), offer(page).getByRole("button", { name: "Keep it as a file" }).click()]);
        assert.match(readFileSync(await download.path(), "utf8"), /^\/\/ mine/);
        writeFileSync(path, before);
        await offer(page).getByRole("button", { name: "Open it" }).click();
        await line(page, "// mine").waitFor();
        await offer(page).waitFor({ state: "detached" });
        await page.locator(".top .dot").waitFor();
    }));

test("a link that is opened in the tab leaves what was not saved there", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page, { address }) => {
        await write(page, "// mine\n");
        await isKept(page, "// mine");
        const shared = { name: "other.rbg", text: `// shared\n${readFileSync(join(root, "games/rbg/ticTacToe.rbg"), "utf8")}`, moves: [], ply: 0 };
        await page.goto("about:blank");
        await page.goto(`${address}&g=${deflateRawSync(JSON.stringify(shared)).toString("base64url")}`);
        await line(page, "// shared").waitFor();
        // Also when that is changed.
        await write(page, "// theirs\n");
        await isKept(page, "// theirs");
        await page.reload();
        await line(page, "// theirs").waitFor();
        await offer(page).getByRole("button", { name: "Open it" }).click();
        // What is not saved here is left then.
        await page.locator("dialog").getByRole("button", { name: "Discard" }).click();
        await line(page, "// mine").waitFor();
    }));

test("moves come back with rules in which they are legal, and else it is said that they do not", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await page.locator(".status.good").waitFor();
        await seat(page, "noughts", "person");
        await plays(page, "b2", "a1");
        await page.waitForFunction(() => JSON.parse(sessionStorage.getItem("rgc-studio-draft")).moves.length === 2);
        await write(page, "// mine\n");
        await page.locator(".notice", { hasText: "The rules have changed since this game began" }).waitFor();
        await isKept(page, "// mine");
        await page.reload();
        await line(page, "// mine").waitFor();
        await page.locator(".record .made").nth(1).waitFor();
        assert.deepEqual((await draft(page)).seats, [null, null]);
        // Moves that are not legal.
        await page.evaluate(() => {
            const draft = JSON.parse(sessionStorage.getItem("rgc-studio-draft"));
            addEventListener("pagehide", () => sessionStorage.setItem("rgc-studio-draft", JSON.stringify({ ...draft, moves: [draft.moves[0], draft.moves[0]] })));
        });
        await page.reload();
        await page.locator(".notice", { hasText: "Your game of 2 moves was not brought back: move 2 of this game is not legal" }).waitFor();
        assert.equal(await page.locator(".record .made").count(), 0);
    }));

test("that a game with something hidden does not come back is said", () =>
    withPage({ options: ["kuhnPoker"] }, async (page) => {
        await page.locator(".move").first().click();
        await page.waitForFunction(() => JSON.parse(sessionStorage.getItem("rgc-studio-draft")).hidden > 0);
        assert.deepEqual((await draft(page)).moves, []);
        await page.reload();
        await page.locator(".notice", { hasText: "was not brought back: what is hidden in it is not kept" }).waitFor();
    }));

test("where the tab has no room, no older text comes back, and leaving asks", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await write(page, "// mine\n");
        await isKept(page, "// mine");
        await page.evaluate(() => {
            for (let size = 1 << 23; size >= 1; size >>= 1) {
                try {
                    sessionStorage.setItem("full", (sessionStorage.getItem("full") ?? "") + "x".repeat(size));
                } catch {
                    // A half of it may find room.
                }
            }
        });
        await page.keyboard.type("// and more of it\n");
        await page.waitForFunction(() => sessionStorage.getItem("rgc-studio-draft") === null);
        await disconnect(page);
        await page.locator(".notice.bad", { hasText: "lost when the page is left" }).waitFor();
        const [dialog] = await Promise.all([page.waitForEvent("dialog"), page.getByRole("button", { name: "Try again" }).click()]);
        assert.equal(dialog.type(), "beforeunload");
        await page.locator(".notice.bad", { hasText: "Not connected" }).waitFor({ state: "detached" });
        await line(page, "// mine").waitFor({ state: "detached" });
    }));

/** A text whose lines end with `\r\n`. */
const crlf = (text) => text.replaceAll("\n", "\r\n");

test("a file keeps the ends of its lines, which are none of the changes", () =>
    withPage({ options: ["ticTacToe.rbg"], files: ["games/rbg/ticTacToe.rbg"] }, async (page, { folder }) => {
        const path = join(folder, "ticTacToe.rbg");
        const before = readFileSync(path, "utf8");
        const saved = async (text) => {
            await page.keyboard.press("Control+s");
            await page.locator(".top .dot").waitFor({ state: "detached" });
            assert.equal(readFileSync(path, "utf8"), text);
        };
        await page.locator(".status.good").waitFor();
        // Another program gives it other ends, and another line between the same ones.
        writeFileSync(path, crlf(`// one\n${before}`));
        await line(page, "// one").waitFor();
        await page.locator(".top .dot").waitFor({ state: "detached" });
        await write(page, "// mine\n");
        await saved(crlf(`// mine\n// one\n${before}`));
        // In a text with such ends, too.
        writeFileSync(path, crlf(`// mine\n// two\n${before}`));
        await line(page, "// two").waitFor();
        await write(page, "// more\n");
        await saved(crlf(`// more\n// mine\n// two\n${before}`));
        // Opened once more, it is not changed; nor is it when what was written is taken back.
        await page.reload();
        await line(page, "// more").waitFor();
        await page.locator(".status.good").waitFor();
        assert.equal(await page.locator(".top .dot").count(), 0);
        assert.equal(await foreign(page).count(), 0);
        await write(page, "// x");
        await page.keyboard.press("Control+z");
        await page.locator(".top .dot").waitFor({ state: "detached" });
        // What was not saved comes back.
        await write(page, "// left\n");
        await isKept(page, "// left");
        await page.reload();
        await line(page, "// left").waitFor();
        assert.equal(await foreign(page).count(), 0);
        await page.locator(".cm-content").click();
        await saved(crlf(`// left\n// more\n// mine\n// two\n${before}`));
        // The ends that another program gives it stay as well.
        writeFileSync(path, `// left\n// more\n// mine\n// third\n${before}`);
        await line(page, "// third").waitFor();
        await write(page, "// last\n");
        await saved(`// last\n// left\n// more\n// mine\n// third\n${before}`);
    }));

test("the text before is offered only until something is written", () =>
    withPage({ options: ["ticTacToe.rbg"], files: ["games/rbg/ticTacToe.rbg"] }, async (page, { folder }) => {
        const path = join(folder, "ticTacToe.rbg");
        const before = readFileSync(path, "utf8");
        const offered = page.getByRole("button", { name: "Bring back the text before" });
        await page.locator(".status.good").waitFor();
        writeFileSync(path, `// of another one\n${before}`);
        await offered.waitFor();
        await write(page, "// mine\n");
        await offered.waitFor({ state: "detached" });
        await line(page, "// of another one").waitFor();
        // Nor is it offered where the file has become what was written here.
        writeFileSync(path, `// mine\n// of another one\n${before}`);
        await foreign(page).getByRole("button", { name: "Open it again" }).click();
        await page.locator(".top .dot").waitFor({ state: "detached" });
        await foreign(page).waitFor({ state: "detached" });
        assert.equal(await offered.count(), 0);
        await line(page, "// mine").waitFor();
    }));

test("a file of the same name is replaced only if that is wanted", () =>
    withPage({ options: ["race.rg"], files: ["games/rbg/ticTacToe.rbg"] }, async (page, { folder }) => {
        const path = join(folder, "ticTacToe.rbg");
        const before = readFileSync(path, "utf8");
        await page.locator(".status.good").waitFor();
        await page.getByRole("button", { name: "Save as…" }).click();
        await page.getByLabel("A path in").fill("ticTacToe.rbg");
        await page.locator("dialog").getByRole("button", { name: "Save" }).click();
        await page.locator("dialog .notice.bad", { hasText: "there is a file" }).waitFor();
        assert.equal(readFileSync(path, "utf8"), before);
        await page.getByRole("button", { name: "Replace it" }).click();
        await page.locator("dialog").waitFor({ state: "detached" });
        assert.notEqual(readFileSync(path, "utf8"), before);
        // The keys are in the rules again.
        await page.locator(".cm-content:focus").waitFor();
    }));
