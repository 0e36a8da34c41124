// The board by keys, by touch and on small screens, moves that are typed in any way, and what is marked.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { clicks, headline, place, plays, seat, shot, withPage } from "./support.mjs";

const SMALL = { viewport: { width: 1024, height: 768 } };

/** The labels of the places with a class, in order. */
const labelled = (page, name) => page.locator(`.board .${name}[data-place]`).evaluateAll((places) => places.map((place) => place.dataset.place).sort());

/** The place that has the keys. */
const held = (page) => page.evaluate(() => document.activeElement?.dataset.place ?? null);

/** Presses keys one after the other, each where the one before has led. */
async function press(page, ...keys) {
    for (const key of keys) await page.keyboard.press(key);
}

test("the keys stay on the board from move to move", () =>
    withPage({ options: ["chess"] }, async (page) => {
        await seat(page, "black", "person");
        const made = page.locator(".record .made");
        await place(page, "e2").focus();
        await press(page, "Enter", "ArrowUp", "ArrowUp", "Enter");
        await made.first().waitFor();
        assert.equal(await held(page), "e4");
        // Black goes on from there.
        await press(page, "ArrowUp", "ArrowUp", "ArrowUp");
        assert.equal(await held(page), "e7");
        await press(page, "Enter", "ArrowDown", "ArrowDown", "Enter");
        await made.nth(1).waitFor();
        assert.equal(await held(page), "e5");
        assert.deepEqual(await made.allTextContents(), ["e2e4", "e7e5"]);
        // Who goes elsewhere is not led back.
        await page.getByLabel("Type a move").focus();
        await page.keyboard.type("g1f3");
        await press(page, "Enter");
        await made.nth(2).waitFor();
        await page.locator("[aria-label='Type a move']:focus").waitFor();
    }));

test("the keys stay on the board while an agent moves", () =>
    withPage({ options: ["breakthrough.rbg"] }, async (page) => {
        await seat(page, "black", "random");
        await place(page, "a2").focus();
        for (const [count, keys] of [[2, ["Enter", "ArrowUp", "Enter"]], [4, ["Enter", "ArrowUp", "Enter"]]]) {
            await press(page, ...keys);
            await page.locator(".record .made").nth(count - 1).waitFor();
            await headline(page, "White to move");
            assert.equal(await held(page), count === 2 ? "a3" : "a4");
        }
        const made = await page.locator(".record .made").allTextContents();
        assert.deepEqual([made[0], made[2]], ["a2a3", "a3a4"]);
    }));

/** Each player marks cells of an own board, which moves do not name. */
const OWN_BOARDS = `domain Player = left | right
domain Score = 0 | 100
domain Mark = empty | x
domain Cell = C(X, Y) where X in 0..2, Y in 0..2

opponent: Player -> Player
opponent(left) = right
opponent(right) = left

board: Player -> Cell -> Mark
me: Player
cell: Cell

graph free() {
  cell = Cell(*)
  check(board[me][cell] == empty)
}

graph rules() {
  loop {
    player = me
    free()
    $$ cell
    board[me][cell] = x
    player = keeper
    me = opponent[me]
    if not(reachable(free())) {
      goals[me] = 100
      end()
    }
  }
}
`;

test("where several boards have the same places, the one is offered on which a move acts", () =>
    withPage({}, async (page, { folder }) => {
        writeFileSync(join(folder, "own.hrg"), OWN_BOARDS);
        await page.reload();
        await page.locator(".library .entry", { hasText: "own.hrg" }).click();
        await page.locator(".board").nth(1).waitFor();
        await seat(page, "right", "person");
        const on = (number) => page.locator(`.board[data-number="${number}"]`);
        const cell = (number, label) => on(number).locator(`[data-place="${label}"]`);
        assert.deepEqual([await on(0).locator(".can").count(), await on(1).locator(".can").count()], [9, 0]);
        await cell(1, "b2").click();
        await page.locator(".why", { hasText: "is chosen on board[left] here" }).waitFor();
        assert.equal(await page.locator(".made").count(), 0);
        await cell(0, "b2").focus();
        await press(page, "Enter");
        await page.locator(".made").first().waitFor();
        // What was marked is marked on its board, and the keys are there.
        assert.deepEqual([await on(0).locator(".last").count(), await on(1).locator(".last").count()], [1, 0]);
        assert.equal(await page.evaluate(() => document.activeElement.closest(".board").dataset.number), "0");
        assert.deepEqual([await on(0).locator(".can").count(), await on(1).locator(".can").count()], [0, 9]);
        await cell(1, "b2").click();
        await page.locator(".made").nth(1).waitFor();
        await shot(page, "board-own");
    }));

test("in a game with hidden boards, only the own one is offered", () =>
    withPage({ options: ["battleships"], theme: "dark" }, async (page) => {
        await page.locator(".board").nth(3).waitFor();
        await seat(page, "second", "random");
        const titles = async (name) => [...new Set(await page.locator(`.board:has(.${name}) figcaption`).allTextContents())];
        await page.locator(".can").first().waitFor();
        assert.deepEqual(await titles("can"), ["sea[first]"]);
        const acting = () => page.locator(".board.acting figcaption").allTextContents();
        assert.deepEqual(await acting(), ["sea[first]"]);
        // Why a ship cannot lie on another one is no secret.
        await page.getByLabel("Type a move").fill("j1 up");
        await page.keyboard.press("Enter");
        await page.locator(".moves h3", { hasText: /^\d+ moves/ }).waitFor();
        await page.getByLabel("Type a move").fill("j2 up");
        await page.locator(".moves .hint", { hasText: "no move fits" }).waitFor();
        await page.keyboard.press("Enter");
        await page.locator(".why", { hasText: "j2" }).waitFor();
        assert.match(await page.locator(".why").textContent(), /ship/);
        await shot(page, "board-why-hidden");
        for (const text of ["b1 up", "c1 up", "d1 up", "e1 up"]) {
            await page.getByLabel("Type a move").fill(text);
            await page.keyboard.press("Enter");
            await page.locator(".moves h3", { hasText: /^\d+ moves/ }).waitFor();
        }
        await page.locator(".moves h3", { hasText: "100 moves" }).waitFor();
        assert.deepEqual(await titles("can"), ["shot[first]"]);
        assert.deepEqual(await acting(), ["shot[first]"]);
        // Coordinates are small, and have room beside the places.
        const heights = await page.locator(".board .c").evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect().height));
        assert.ok(Math.max(...heights) < 17, String(Math.max(...heights)));
        await shot(page, "board-hidden");
    }));

test("a move is typed in any way in which moves are written", () =>
    withPage({ options: ["chess"] }, async (page) => {
        await seat(page, "black", "person");
        const [field, made] = [page.getByLabel("Type a move"), page.locator(".record .made")];
        for (const [count, [text, move]] of [["e2-e4", "e2e4"], ["d7 d6", "d7d6"], ["D2 - D4", "d2d4"]].entries()) {
            await field.fill(text);
            // The list and the board show what is meant.
            await page.locator(".move .text", { hasText: move }).waitFor();
            assert.equal(await page.locator(".move").count(), 1);
            assert.equal(await page.locator(".moves .hint").count(), 0);
            await press(page, "Enter");
            await made.nth(count).waitFor();
        }
        // The number of a move in the list.
        const first = await page.locator(".move .text").first().textContent();
        await field.fill("1.");
        await page.locator(".moves h3", { hasText: "1 of" }).waitFor();
        await press(page, "Enter");
        await made.nth(3).waitFor();
        assert.deepEqual(await made.allTextContents(), ["e2e4", "d7d6", "d2d4", first]);
        // Several moves are listed, and none of them is made; one that is not legal is explained.
        await field.fill("g1");
        await page.locator(".move").nth(1).waitFor();
        await press(page, "Enter");
        await page.locator(".moves .hint", { hasText: "moves fit" }).waitFor();
        assert.equal(await made.count(), 4);
        await field.fill("e7-e4");
        await page.locator(".moves .hint", { hasText: "no move fits" }).waitFor();
        await press(page, "Enter");
        await page.locator(".why").waitFor();
        assert.doesNotMatch(await page.locator(".why").textContent(), /is legal/);
        await field.fill("");
        // The list shows numbers, and the dot may be left out where no move has the number in it.
        const twelfth = page.locator(".move").nth(11);
        assert.equal(await twelfth.locator(".number").getAttribute("data-number"), "12");
        const named = await twelfth.locator(".text").textContent();
        await field.fill("12");
        await press(page, "Enter");
        await made.nth(4).waitFor();
        assert.equal(await made.nth(4).textContent(), named);
    }));

test("what a pawn becomes is chosen from the strongest piece on, in one line", () =>
    withPage({ options: ["chess"], screen: SMALL }, async (page) => {
        await seat(page, "black", "person");
        const field = page.getByLabel("Type a move");
        for (const [count, move] of ["a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5"].entries()) {
            await field.fill(move);
            await press(page, "Enter");
            await page.locator(".made").nth(count).waitFor();
        }
        await clicks(page, "a7", "b8");
        const menu = page.locator(".choice button");
        await menu.nth(3).waitFor();
        assert.deepEqual((await menu.allTextContents()).map((text) => text.at(-1)), ["Q", "R", "B", "N"]);
        const tops = await menu.evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
        assert.equal(new Set(tops).size, 1, tops.join());
        await shot(page, "board-promotion");
        await field.fill("a7-b8");
        await page.locator(".move").nth(3).waitFor();
        assert.equal(await page.locator(".move").count(), 4);
    }));

test("what the last move has changed is marked, not only what it names", () =>
    withPage({ options: ["connectFour"] }, async (page) => {
        await seat(page, "red", "person");
        await clicks(page, "d6");
        await page.locator(".made").first().waitFor();
        const piece = page.locator('.board [data-place]:has(circle)').first();
        assert.deepEqual(await labelled(page, "last"), [await piece.getAttribute("data-place")]);
    }));

test("a capture is marked where the piece was that is gone", () =>
    withPage({ options: ["chess"] }, async (page) => {
        await seat(page, "black", "person");
        for (const [count, move] of ["e2e4", "a7a6", "e4e5", "d7d5", "e5d6"].entries()) {
            await page.getByLabel("Type a move").fill(move);
            await press(page, "Enter");
            await page.locator(".made").nth(count).waitFor();
        }
        // The pawn that was passed is taken from d5, which the move does not name.
        assert.deepEqual(await labelled(page, "last"), ["d5", "d6", "e5"]);
    }));

test("on a small screen the board has the width of its panel", () =>
    withPage({ options: ["chess"], screen: SMALL }, async (page) => {
        await place(page, "e2").waitFor();
        const [board, panel, list] = await Promise.all([".board svg", ".play", ".moves"].map((name) => page.locator(name).first().boundingBox()));
        assert.ok(board.width > 0.9 * panel.width, JSON.stringify([board, panel]));
        assert.ok(list.y >= board.y + board.height, "the list is below the board");
        const square = await place(page, "e2").boundingBox();
        assert.ok(square.width > 40, JSON.stringify(square));
        await shot(page, "board-small");
    }));

test("places of many boards are large enough to be hit, also by a finger", async () => {
    for (const [screen, least, name] of [[SMALL, 16, "board-many"], [{ ...SMALL, hasTouch: true, isMobile: true }, 23.5, "board-many-touched"]]) {
        await withPage({ options: ["battleships"], screen }, async (page) => {
            await page.locator(".board").nth(3).waitFor();
            const widths = await page.locator(".board [data-place]").evaluateAll((places) => places.map((place) => place.getBoundingClientRect().width));
            assert.ok(Math.min(...widths) >= least, String(Math.min(...widths)));
            await shot(page, name);
        });
    }
});

test("letters of pieces are large, the larger the fewer they are", () =>
    withPage({ options: ["amazonsSplit"] }, async (page) => {
        await place(page, "a4").waitFor();
        const sizes = await page.evaluate(() => {
            const size = (name) => {
                const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
                text.setAttribute("class", name);
                document.querySelector(".board svg").append(text);
                return Number.parseFloat(getComputedStyle(text).fontSize);
            };
            return ["s one", "s two", "s"].map(size);
        });
        assert.deepEqual(sizes, [28, 22, 16]);
    }));

test("a finger sees what a move changes before it is made by a second tap", () =>
    withPage({ options: ["ticTacToe.rbg"], screen: { hasTouch: true } }, async (page) => {
        await seat(page, "noughts", "person");
        await place(page, "b2").tap();
        await page.locator(".choice button", { hasText: "b2" }).waitFor();
        await page.locator('[data-place="b2"].ahead').waitFor();
        assert.equal(await page.locator(".made").count(), 0);
        // Another place is looked at instead.
        await place(page, "a1").tap();
        await page.locator('[data-place="a1"].ahead').waitFor();
        assert.deepEqual(await labelled(page, "ahead"), ["a1"]);
        await place(page, "a1").tap();
        await page.locator(".made").first().waitFor();
        await place(page, "b2").tap();
        await page.locator(".choice button").click();
        await page.locator(".made").nth(1).waitFor();
        assert.deepEqual(await page.locator(".made").allTextContents(), ["a1", "b2"]);
    }));

test("on a screen that is touched, the library makes room for the game that was chosen", () =>
    withPage({ screen: { hasTouch: true, isMobile: true } }, async (page) => {
        await page.locator(".library .entry", { hasText: "Breakthrough" }).first().tap();
        await page.locator(".library").waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Library" }).tap();
        await page.locator(".library").waitFor();
    }));

test("places that lie opposite each other are below each other", () =>
    withPage({ options: ["oware.hrg"] }, async (page) => {
        await page.locator(".beside .opposite").waitFor();
        const lefts = await page.locator(".beside .opposite tbody:not(.head) tr").evaluateAll((rows) =>
            rows.map((row) => [...row.querySelectorAll("td")].map((cell) => Math.round(cell.getBoundingClientRect().left))),
        );
        assert.equal(lefts.length, 2);
        assert.deepEqual(lefts[0], lefts[1]);
        await shot(page, "board-opposite");
    }));

test("what was typed and what was said belong to a position", () =>
    withPage({ options: ["chess"], isSlow: true }, async (page) => {
        await seat(page, "black", "person");
        // Whoever waits for a place to stand still waits for frames, of which a page that is painted late may have none.
        const taps = async (...labels) => {
            for (const label of labels) await place(page, label).dispatchEvent("click");
        };
        const [field, made] = [page.getByLabel("Type a move"), page.locator(".record .made")];
        await place(page, "e2").waitFor();
        await field.fill("3");
        await press(page, "Enter");
        await page.locator(".moves .hint", { hasText: "moves fit" }).waitFor();
        await taps("e2", "e4");
        await made.first().waitFor();
        // The page shows nothing of it together with the new position.
        assert.equal(await field.inputValue(), "");
        assert.equal(await page.locator(".moves h3").textContent(), "20 moves");
        assert.equal(await page.locator(".moves p.hint").count(), 0);
        await field.fill("e7e1");
        await press(page, "Enter");
        await page.locator(".why").waitFor();
        await taps("e7", "e5");
        await made.nth(1).waitFor();
        assert.deepEqual([await page.locator(".why").count(), await field.inputValue()], [0, ""]);
    }));
