// Playing in the browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { clicks, headline, place, plays, seat, shot, withPage } from "./support.mjs";

test("connect four is won by four clicks", () =>
    withPage({ options: ["connectFour"] }, async (page) => {
        await seat(page, "red", "person");
        // Any place of a column means the column.
        await plays(page, "d6", "a1", "d1", "a3", "d5", "b6", "d3");
        await headline(page, "yellow wins");
        await page.getByRole("button", { name: "Take back" }).click();
        await headline(page, "Yellow to move");
        assert.equal(await page.locator(".made").count(), 7, "what was taken back can still be looked at");
        await page.getByRole("button", { name: "Last position" }).click();
        await headline(page, "yellow wins");
    }));

test("an agent answers, with what it thinks", () =>
    withPage({ options: ["connectFour"] }, async (page) => {
        await seat(page, "red", "uct:1s");
        await clicks(page, "d1");
        await headline(page, "thinking");
        await page.locator(".evaluation .figures", { hasText: "playouts" }).waitFor();
        await headline(page, "Yellow to move");
        assert.equal(await page.locator(".made").count(), 2);
        await page.getByRole("button", { name: "Analyse" }).click();
        await page.locator(".move .value").first().waitFor();
        await page.locator(".best").first().waitFor();
        await shot(page, "play-analysis");
        await page.getByRole("button", { name: "Stop" }).click();
        await page.locator(".evaluation").waitFor({ state: "detached" });
    }));

test("an analysis that has come to an end stays to be seen", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await seat(page, "noughts", "person");
        // So few moves are left that all is known at once.
        await plays(page, "a1", "b2", "c3", "a3", "c1", "b1");
        await page.locator(".made").nth(5).waitFor();
        const analyse = page.getByRole("button", { name: "Analyse" });
        await analyse.click();
        await page.locator(".evaluation .figures b", { hasText: "100.0" }).waitFor();
        await page.waitForTimeout(500);
        assert.equal(await analyse.getAttribute("aria-pressed"), "true");
        assert.equal(await page.locator(".evaluation .line").textContent(), "c2");
        await analyse.click();
        await page.locator(".evaluation").waitFor({ state: "detached" });
        // At the end of the game there is nothing to think about.
        await analyse.click();
        await page.locator(".evaluation").waitFor();
        await clicks(page, "c2");
        await headline(page, "The game is over");
        await page.locator(".evaluation").waitFor({ state: "detached" });
        assert.equal(await page.getByRole("button", { name: "Stop" }).count(), 0);
    }));

test("Enter behind a part of several moves says that more is to be typed", () =>
    withPage({ options: ["breakthrough.hrg"] }, async (page) => {
        await page.locator(".move").first().waitFor();
        const first = (await page.locator(".move .text").first().textContent()).slice(0, 1);
        await page.getByLabel("Type a move").fill(first);
        await page.locator(".moves h3", { hasText: /^\d+ of \d+ moves/ }).waitFor();
        await page.getByLabel("Type a move").press("Enter");
        await page.locator(".moves .hint", { hasText: "moves fit" }).waitFor();
        assert.equal(await page.locator(".made").count(), 0);
    }));

test("moves that come before the page has shown the game are not lost", () =>
    withPage({ options: ["ticTacToe.rbg"], isSlow: true }, async (page) => {
        await seat(page, "noughts", "random");
        await seat(page, "crosses", "random");
        await headline(page, "The game is over");
        for (let count = 0; count < 3; count++) {
            const before = await page.locator("[data-play]").getAttribute("data-play");
            await page.getByRole("button", { name: "New game", exact: true }).click();
            await page.locator(`[data-play]:not([data-play="${before}"])`).waitFor();
            await headline(page, "The game is over");
        }
    }));

test("thinking is stopped, and goes on", () =>
    withPage({ options: ["breakthrough.hrg"] }, async (page) => {
        await page.locator(".move").first().waitFor();
        await page.locator(".seat").nth(1).locator("select").selectOption("uct:5s");
        await page.locator(".move").first().click();
        await headline(page, "thinking");
        await page.getByRole("button", { name: "Stop" }).click();
        await headline(page, "stopped");
        assert.equal(await page.locator(".made").count(), 1);
        await page.locator(".seat").nth(1).locator("select").selectOption("random");
        await page.getByRole("button", { name: "Play on from here" }).click();
        await page.locator(".made").nth(1).waitFor();
    }));

test("chess in two clicks, and by keys alone", () =>
    withPage({ options: ["chess"] }, async (page) => {
        await seat(page, "black", "person");
        await clicks(page, "e2");
        await page.locator('[data-place="e4"].target').waitFor();
        assert.equal(await page.locator(".target").count(), 2);
        await page.keyboard.press("Escape");
        await page.locator(".target").first().waitFor({ state: "detached" });
        await clicks(page, "e2", "e4");
        await headline(page, "Black to move");
        await place(page, "d7").focus();
        await page.keyboard.press("Enter");
        await page.locator('[data-place="d5"].target').waitFor();
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await headline(page, "White to move");
        assert.deepEqual(await page.locator(".made").allTextContents(), ["e2e4", "d7d5"]);
        await shot(page, "play-chess");
    }));

test("a pawn is promoted by a menu", () =>
    withPage({ options: ["chess"] }, async (page) => {
        await seat(page, "black", "person");
        let count = 0;
        for (const move of ["a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5"]) {
            await clicks(page, move.slice(0, 2), move.slice(2));
            await page.locator(".made").nth(count++).waitFor();
        }
        await clicks(page, "a7", "b8");
        const names = page.locator(".choice button");
        await names.first().waitFor();
        assert.equal(await names.count(), 4);
        await shot(page, "play-promotion");
        await names.nth(0).click();
        await page.locator(".made").nth(count).waitFor();
        await page.locator(".choice").waitFor({ state: "detached" });
    }));

test("draughts jumps on from place to place", () =>
    withPage({ options: ["englishDraughts"] }, async (page) => {
        await page.locator(".move").first().waitFor();
        const first = (await page.locator(".move .text").first().textContent()).trim();
        await page.locator(".seat").nth(1).locator("select").selectOption("person");
        await clicks(page, ...first.match(/[a-h][0-9]/g));
        await page.locator(".made").waitFor();
    }));

test("a move that is far down the list is found by typing", () =>
    withPage({ options: ["amazons"] }, async (page) => {
        await page.locator(".moves .hint", { hasText: "more" }).waitFor();
        const all = Number((await page.locator(".moves h3").textContent()).match(/\d+/)[0]);
        assert.ok(all > 400);
        const listed = await page.locator(".move .text").allTextContents();
        const arrow = listed[0].match(/[a-z]\d+$/)[0];
        await page.getByLabel("Type a move").fill(arrow);
        await page.locator(".moves .hint").waitFor({ state: "detached" });
        const found = await page.locator(".move .text").allTextContents();
        assert.ok(found.every((text) => text.includes(arrow)));
        assert.ok(found.some((text) => !listed.includes(text)), "others than before");
        await page.locator(".move").last().click();
        await page.locator(".made").first().waitFor();
    }));

test("amazons: a queen, a place, an arrow", () =>
    withPage({ options: ["amazons"], isSlow: true }, async (page) => {
        await page.locator(".move").first().waitFor();
        await page.locator(".seat").nth(1).locator("select").selectOption("person");
        await page.locator(".can").first().click();
        const chosen = (count) => page.waitForFunction((count) => document.querySelectorAll(".board .chosen").length === count, count);
        await chosen(1);
        await page.locator(".target").first().click();
        await chosen(2);
        assert.equal(await page.locator(".made").count(), 0);
        await page.locator(".target").first().click();
        await page.locator(".made").waitFor();
    }));

test("games without a board are played by their list of moves", () =>
    withPage({ options: ["kuhnPoker"] }, async (page) => {
        await page.locator(".headline").waitFor();
        await page.locator(".record", { hasText: "Observed" }).waitFor();
        const moves = page.locator(".move");
        await moves.first().waitFor();
        await moves.first().click();
        await page.locator(".headline").waitFor();
        await shot(page, "play-hidden");
    }));

test("two persons in a game with hidden cards do not see each other's", () =>
    withPage({ options: ["kuhnPoker"] }, async (page) => {
        await page.locator(".move").first().waitFor();
        await page.locator(".seat").nth(1).locator("select").selectOption("person");
        await page.getByRole("button", { name: /show it/ }).click();
        await page.locator(".move").first().click();
        await page.locator(".cover").waitFor();
        assert.equal(await page.locator(".move").count(), 0);
        assert.equal(await page.locator(".record").count(), 0);
        await shot(page, "play-cover");
        await page.getByRole("button", { name: /show it/ }).click();
        await page.locator(".move").first().waitFor();
    }));

test("where something is hidden and only agents play, the page says why it is empty", () =>
    withPage({ options: ["kuhnPoker"] }, async (page) => {
        await page.locator(".move").first().waitFor();
        const seats = page.locator(".seat select");
        await seats.nth(1).selectOption("random");
        await seats.nth(0).selectOption("random");
        await page.locator(".play .empty", { hasText: "no person plays it" }).waitFor();
    }));

test("who takes another seat does not see its cards before saying so", () =>
    withPage({ options: ["kuhnPoker"] }, async (page) => {
        await page.locator(".move").first().waitFor();
        const seats = page.locator(".seat select");
        await seats.nth(0).selectOption("random");
        await seats.nth(1).selectOption("person");
        await page.locator(".cover").waitFor();
        assert.equal(await page.locator(".record").count(), 0);
        assert.equal(await page.locator(".beside").count(), 0);
        await page.getByRole("button", { name: /show it/ }).click();
        await page.locator(".record", { hasText: "Observed" }).waitFor();
    }));

test("agents play a whole game against each other in SBG", () =>
    withPage({ options: ["breakthrough.sbg"], theme: "dark" }, async (page) => {
        await page.locator(".move").first().waitFor();
        const seats = page.locator(".seat select");
        await seats.nth(0).selectOption("random");
        await seats.nth(1).selectOption("random");
        await page.locator(".made").nth(5).waitFor();
        await shot(page, "play-dark");
    }));

test("a move that is not legal is explained, and leads to the rules", () =>
    withPage({ options: ["breakthrough.rbg"] }, async (page) => {
        await page.locator(".move").first().waitFor();
        await page.locator(".seat").nth(1).locator("select").selectOption("person");
        await clicks(page, "a4");
        await page.locator(".why", { hasText: "is empty" }).waitFor();
        // A pawn does not go two steps ahead.
        await clicks(page, "a2", "a4");
        await page.locator(".why", { hasText: "a2a4" }).waitFor();
        // Nor does it capture straight ahead, where only a diagonal may be taken; typed instead of clicked.
        await page.getByLabel("Type a move").fill("a1b2");
        await page.keyboard.press("Enter");
        await page.locator(".why", { hasText: "a1b2" }).waitFor();
        await shot(page, "play-why");
        await page.locator(".why .place").first().click();
        await page.waitForFunction(() => document.querySelector(".cm-editor .cm-selectionBackground, .cm-editor ::selection"));
        await clicks(page, "a2");
        await page.locator(".why").waitFor({ state: "detached" });
        await clicks(page, "a3");
        await page.locator(".made").waitFor();
        assert.equal(await page.locator(".why").count(), 0);
        await page.getByLabel("Type a move").fill("a7a6");
        await page.keyboard.press("Enter");
        await page.locator(".made").nth(1).waitFor();
    }));

test("in a block of boards, one click chooses a board and its place", () =>
    withPage({ options: ["ultimateTicTacToe.hrg"] }, async (page) => {
        await page.locator(".move").first().waitFor();
        await page.locator(".seat").nth(1).locator("select").selectOption("person");
        await page.locator('[data-outer="b2"] [data-place="c1"]').click();
        await page.locator(".made", { hasText: "b2c1" }).waitFor();
        // The next one goes to the board at the place that was taken.
        assert.equal(await page.locator('[data-outer="c1"] .can').count(), 9);
        assert.equal(await page.locator('[data-outer="a1"] .can').count(), 0);
        assert.equal(await page.locator('[data-outer="b2"] .last').count(), 1);
        await shot(page, "play-block");
    }));

test("without a board, cells of tables are clicked", () =>
    withPage({ options: ["nim.hrg"] }, async (page) => {
        await page.locator(".beside td.can").first().waitFor();
        await page.locator(".seat").nth(1).locator("select").selectOption("person");
        await page.locator('[data-cell="c"]').click();
        // Where the cell does not say how many are left, a menu does.
        assert.equal(await page.locator(".choice button").count(), 5);
        await shot(page, "play-cells");
        await page.locator(".choice button").nth(2).click();
        await page.locator(".made").waitFor();
    }));

test("the points of backgammon are clicked, and a long table goes on below", () =>
    withPage({ options: ["backgammon.hrg"], theme: "dark" }, async (page) => {
        await page.locator(".beside td.can").first().waitFor();
        assert.ok((await page.locator(".beside table").count()) >= 2);
        const box = await page.locator(".beside").boundingBox();
        assert.ok(await page.locator(".beside").evaluate((beside) => beside.scrollWidth <= beside.clientWidth), JSON.stringify(box));
        await page.locator(".beside td.can button").first().click();
        await page.waitForFunction(() => document.querySelector(".choice") || document.querySelectorAll(".made").length > 1);
        await shot(page, "play-points");
    }));

test("who makes a move by typing goes on typing", () =>
    withPage({ options: ["breakthrough.rbg"] }, async (page) => {
        await seat(page, "black", "random");
        for (const [made, move] of [[2, "a2a3"], [4, "a3a4"]]) {
            await page.getByLabel("Type a move").waitFor();
            if (made === 2) await page.getByLabel("Type a move").focus();
            await page.keyboard.type(move);
            await page.keyboard.press("Enter");
            await page.locator(".made").nth(made - 1).waitFor();
            await page.locator("[aria-label='Type a move']:focus").waitFor();
        }
        assert.ok((await page.locator(".made").allTextContents()).includes("a3a4"));
    }));

test("the end of a game is explained by the rules, and its walk goes on to the end", () =>
    withPage({ options: ["ticTacToe.hrg"] }, async (page) => {
        await seat(page, "noughts", "person");
        await plays(page, "a1", "b1", "a2", "b2", "a3");
        await headline(page, "crosses wins");
        await page.getByRole("button", { name: "Why did it end?" }).click();
        const places = page.locator(".why .place");
        await places.first().waitFor();
        assert.ok((await places.allTextContents()).some((text) => text.includes("goals")), "a line that gives the scores");
        await shot(page, "play-ended");
        await page.getByRole("button", { name: "Dismiss" }).click();
        // A click on the board asks the same.
        await place(page, "c3").click();
        await places.last().waitFor();
        await places.last().click();
        await page.locator(".cm-selectionBackground").first().waitFor();
        await page.getByRole("tab", { name: "Automaton" }).click();
        await page.locator(".canvas [data-node=end].answered, .canvas [data-node=end].walked").waitFor();
        await shot(page, "graph-ended");
    }));

test("at the end, it is said first that the other one has no move, and where that fails", () =>
    withPage({ options: ["race.rbg"], files: ["studio/web/tests/race.rbg"] }, async (page) => {
        await seat(page, "black", "person");
        await clicks(page, "b1", "b2");
        await headline(page, "white wins");
        await page.getByRole("button", { name: "Why did it end?" }).click();
        await page.locator(".why .row").first().filter({ hasText: "black has no move" }).waitFor();
        const first = page.locator(".why .place").first();
        assert.match(await first.textContent(), /forward \(\{e\}/, "the line that no black pawn passes");
        await page.locator(".why .row", { hasText: "by these lines of the rules" }).waitFor();
        await shot(page, "play-unable");
        await first.click();
        await page.locator(".cm-activeLine", { hasText: "forward" }).waitFor();
    }));

test("lines of the rules that are about other moves are not named as reasons", () =>
    withPage({ options: ["race.rbg"], files: ["studio/web/tests/race.rbg"] }, async (page) => {
        await page.locator(".move").first().waitFor();
        await clicks(page, "a1", "a4");
        await page.locator(".why", { hasText: "a1a4 is not legal" }).waitFor();
        assert.doesNotMatch(await page.locator(".why").textContent(), /->> \{\}/);
        await shot(page, "play-why-far");
    }));

test("the board shows what fits a move that is typed, and goes on from there", () =>
    withPage({ options: ["chess"], theme: "dark" }, async (page) => {
        await seat(page, "black", "person");
        const field = page.getByLabel("Type a move");
        await field.fill("e2");
        await page.locator('[data-place="e2"].chosen').waitFor();
        assert.deepEqual((await page.locator(".target").evaluateAll((places) => places.map((place) => place.dataset.place))).sort(), ["e3", "e4"]);
        await shot(page, "play-typed");
        // What the move would change on which the pointer is.
        await place(page, "e4").hover();
        await page.locator('[data-place="e2"].ahead').waitFor();
        assert.deepEqual((await page.locator(".ahead").evaluateAll((places) => places.map((place) => place.dataset.place))).sort(), ["e2", "e3", "e4"]);
        await shot(page, "play-ahead-board");
        await page.locator(".headline").hover();
        await page.locator(".ahead").first().waitFor({ state: "detached" });
        await field.fill("a");
        await page.locator('[data-place="a2"].can').waitFor();
        assert.equal(await page.locator('[data-place="e2"].can').count(), 0, "no move from there fits");
        await field.fill("");
        await page.locator('[data-place="e2"].can').waitFor();
        await field.fill("e2");
        await clicks(page, "e4");
        await headline(page, "Black to move");
        assert.deepEqual(await page.locator(".made").allTextContents(), ["e2e4"]);
        assert.equal(await page.locator(".target, .chosen").count(), 0);
    }));

test("in backgammon, one sees whose turn it is, who has thrown, and where a checker goes", () =>
    withPage({ options: ["backgammon.hrg"] }, async (page) => {
        await seat(page, "black", "person");
        const can = page.locator(".beside td.can");
        await can.first().waitFor();
        const rows = await can.evaluateAll((cells) => cells.map((cell) => cell.closest("tr").querySelector("th").textContent));
        assert.deepEqual([...new Set(rows)], ["white"]);
        assert.equal(await page.locator(".record .who").first().textContent(), "chance");
        // Of a move in the list, where the pointer is: one point has a checker less, another one more.
        const [from] = (await page.locator(".move .text").first().textContent()).split(" ");
        const cell = page.locator(`.beside td:has([data-cell="${from}"])`);
        const [before, box] = [Number(await cell.textContent()), await cell.boundingBox()];
        await page.locator(".move").first().hover();
        await page.locator(".beside td.ahead").nth(1).waitFor();
        await shot(page, "play-ahead");
        assert.equal(Number(await cell.textContent()), before - 1);
        assert.deepEqual(await cell.boundingBox(), box, "nothing moves");
        await page.locator(".headline").hover();
        await page.locator(".beside td.ahead").first().waitFor({ state: "detached" });
        const made = await page.locator(".made").count();
        await page.locator(".move").first().click();
        await page.locator(".made").nth(made).waitFor();
        await page.locator(".beside td.last").nth(1).waitFor();
    }));

test("boards of several names lie beside each other, with their names", () =>
    withPage({ options: ["battleships"] }, async (page) => {
        await page.locator(".board").nth(3).waitFor();
        const names = await page.locator(".board figcaption").allTextContents();
        assert.equal(new Set(names).size, 4, names.join());
        const boxes = await page.locator(".board").evaluateAll((boards) => boards.map((board) => board.getBoundingClientRect().toJSON()));
        for (const [at, one] of boxes.entries()) {
            for (const other of boxes.slice(at + 1)) {
                const apart = one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
                assert.ok(apart, JSON.stringify([one, other]));
            }
        }
        await shot(page, "play-boards");
    }));

test("places are called by what stands on them, and letters are explained", () =>
    withPage({ options: ["amazonsSplit"] }, async (page) => {
        await place(page, "a4").waitFor();
        await page.locator('[data-place="a4"][aria-label^="a4: "]').waitFor();
        assert.equal(await place(page, "a5").getAttribute("aria-label"), "a5");
        await page.locator('[data-place="a4"] > title').waitFor({ state: "attached" });
    }));

test("an agent that does not exist leaves the field and the game as they are", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await seat(page, "noughts", "other");
        const field = page.getByLabel("Agent of noughts");
        await page.locator("[aria-label='Agent of noughts']:focus").waitFor();
        await field.fill("ab:depth");
        await page.keyboard.press("Enter");
        await page.locator(".play .notice.bad").waitFor();
        assert.equal(await field.inputValue(), "ab:depth");
        const before = await page.locator("[data-play]").getAttribute("data-play");
        await page.getByRole("button", { name: "New game", exact: true }).click();
        await page.locator(`[data-play]:not([data-play="${before}"])`).waitFor();
        await page.locator(".play .notice.bad").waitFor({ state: "detached" });
    }));

test("a position in which nobody can move is shown, with the walk to it", () =>
    withPage({ options: ["stuck.rg"], files: ["studio/web/tests/stuck.rg"] }, async (page) => {
        await page.locator(".move", { hasText: "stay" }).click();
        await page.locator(".play .notice.bad", { hasText: "second has no legal move here" }).waitFor();
        assert.equal(await page.locator(".made").count(), 1);
        await page.getByRole("tab", { name: "Automaton" }).click();
        await page.locator(".canvas .n.walked").first().waitFor();
        await page.getByRole("tab", { name: "Play" }).click();
        await page.getByRole("button", { name: "Take back" }).click();
        await page.locator(".play .notice.bad").waitFor({ state: "detached" });
        await page.locator(".move", { hasText: "go" }).click();
        await headline(page, "The game is over");
    }));
