// The automaton, the passes, measurements and matches in the browser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { clicks, headline, plays, program, seat, shot, withPage } from "./support.mjs";

const tab = (page, name) => page.getByRole("tab", { name }).click();

test("the automaton leads to the text and back, and shows the last move", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await seat(page, "noughts", "person");
        await clicks(page, "b2");
        await headline(page, "Noughts to move");
        await tab(page, "Automaton");
        await page.locator(".canvas .n.walked").first().waitFor();
        assert.ok((await page.locator(".canvas .a.walked").count()) > 3);
        await shot(page, "graph");
        await page.getByLabel("Find in the automaton").fill("begin");
        await page.keyboard.press("Enter");
        await page.locator('[data-node="begin"].selected').waitFor();
        const before = await page.locator(".cm-activeLine").textContent();
        await page.locator(".canvas .n").nth(5).dispatchEvent("click");
        await page.waitForFunction((before) => document.querySelector(".cm-activeLine")?.textContent !== before, before);
        await page.locator(".canvas .n.here").first().waitFor();
    }));

test("what the status of the automaton says can be clicked, and what was found is forgotten when something else is chosen", () =>
    withPage({ options: ["breakthrough.hrg"] }, async (page) => {
        await seat(page, "black", "person");
        await clicks(page, "a2", "a3");
        await headline(page, "Black to move");
        await tab(page, "Automaton");
        await page.locator(".canvas .n.answered").first().waitFor();
        const view = () => page.locator(".canvas svg").evaluate((svg) => svg.querySelector("g")?.getAttribute("transform") ?? svg.getAttribute("viewBox"));
        for (const key of ["walk-key", "answer-key"]) {
            await page.getByRole("button", { name: "The whole automaton" }).click();
            const before = await view();
            await page.locator(`button.${key}`).click();
            await page.waitForFunction((before) => {
                const svg = document.querySelector(".canvas svg");
                return (svg.querySelector("g")?.getAttribute("transform") ?? svg.getAttribute("viewBox")) !== before;
            }, before);
        }
        const status = page.locator(".graph .facts");
        await page.getByLabel("Find in the automaton").fill("board");
        await page.keyboard.press("Enter");
        await status.filter({ hasText: /1 of \d+ found/ }).waitFor();
        await page.locator(".canvas .n:not(.selected)").first().dispatchEvent("click");
        await status.filter({ hasNotText: "found" }).waitFor();
        assert.match(await page.getByRole("button", { name: "The whole automaton" }).getAttribute("title"), /whole automaton/);
    }));

test("regions of a large automaton fold and open", () =>
    withPage({ options: ["chess"], theme: "dark" }, async (page) => {
        await tab(page, "Automaton");
        await page.locator(".canvas .n.folded").first().waitFor();
        const few = await page.locator(".canvas .n").count();
        assert.ok(few < 100);
        await shot(page, "graph-dark");
        await page.locator(".canvas .n.folded").first().dispatchEvent("click");
        await page.waitForFunction((few) => document.querySelectorAll(".canvas .n").length > few, few);
        await page.getByRole("button", { name: "fold its region" }).click();
        await page.waitForFunction((few) => document.querySelectorAll(".canvas .n").length === few, few);
        await page.locator(".graph select").nth(1).selectOption("live");
        await page.locator(".canvas .note").first().waitFor();
    }));

test("an automaton that is too large to be drawn can be folded again", () =>
    withPage({ options: ["chess"] }, async (page) => {
        await tab(page, "Automaton");
        await page.locator(".canvas .n.folded").first().waitFor();
        const failure = { code: "large", message: "too large to be drawn" };
        await page.evaluate((failure) => {
            // The server refuses the next drawing.
            const { send } = WebSocket.prototype;
            WebSocket.prototype.send = function (text) {
                const request = JSON.parse(text);
                if (request.method !== "graph") return send.call(this, text);
                WebSocket.prototype.send = send;
                setTimeout(() => this.onmessage({ data: JSON.stringify({ id: request.id, error: failure }) }));
            };
        }, failure);
        await page.getByRole("button", { name: "Open all" }).click();
        await page.locator(".graph .notice.bad", { hasText: "too large" }).waitFor();
        await page.getByRole("button", { name: "Fold all regions" }).click();
        await page.locator(".graph .notice.bad").waitFor({ state: "detached" });
        await page.locator(".canvas .n.folded").first().waitFor();
    }));

test("runs of passes add up, and each is seen as text and as a drawing", () =>
    withPage({ options: ["ticTacToe.hrg"] }, async (page) => {
        await tab(page, "Passes");
        await page.locator(".runs tr[aria-selected=true]").waitFor();
        const facts = await page.locator(".passes .facts").textContent();
        const [, before, after] = facts.match(/nodes (\d+) → (\d+)/).map(Number);
        const deltas = (await page.locator(".runs tbody td:nth-child(3)").allTextContents()).map((text) => Number(text.match(/([+-]\d+) nodes/)?.[1] ?? 0));
        assert.equal(before + deltas.reduce((sum, delta) => sum + delta, 0), after);
        await page.locator(".difference .cm-changedLine, .difference .cm-changedText").first().waitFor();
        await shot(page, "passes");
        const first = await page.locator(".runs tr[aria-selected=true] td").first().textContent();
        // Right after the tab was chosen.
        await tab(page, "Passes");
        await page.keyboard.press("j");
        assert.notEqual(await page.locator(".runs tr[aria-selected=true] td").first().textContent(), first);
        await page.keyboard.press("k");
        assert.equal(await page.locator(".runs tr[aria-selected=true] td").first().textContent(), first);
        await page.getByRole("button", { name: "drawing", exact: true }).click();
        await page.locator(".looked .canvas svg").waitFor();
        for (let run = 0; run < 12 && (await page.locator(".looked .removed:not(.key)").count()) === 0; run++) {
            await page.locator(".runs").focus();
            await page.keyboard.press("j");
            await page.waitForTimeout(300);
        }
        assert.ok((await page.locator(".looked .removed:not(.key)").count()) > 0);
        await shot(page, "passes-drawing");
        // Without a pass, it does not run.
        const pass = await page.locator(".runs tbody td:nth-child(2)").first().textContent();
        await page.locator(".passes .drop summary").click();
        await page.locator(".passes .drop label", { hasText: new RegExp(`^${pass}$`) }).locator("input").uncheck();
        await page.locator(".passes .drop summary", { hasText: "1 off" }).waitFor();
        await page.waitForFunction((pass) => ![...document.querySelectorAll(".runs tbody td:nth-child(2)")].some((cell) => cell.textContent === pass), pass);
    }));

test("passes are verified, in another order as well", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await tab(page, "Passes");
        await page.getByRole("button", { name: "Verify" }).click();
        await page.locator(".verdict", { hasText: /no difference was found: [\d,]+ positions from the start and [\d,]+ random plays are the same/ }).waitFor();
        await page.getByLabel("runs without effect").check();
        const before = (await page.locator(".runs tbody td:nth-child(2)").allTextContents()).join();
        await page.locator(".passes .drop summary").click();
        await page.getByRole("button", { name: "earlier" }).nth(1).click();
        await page.locator(".passes .drop summary", { hasText: "in another order" }).waitFor();
        // What was verified was another pipeline.
        await page.locator(".verdict").waitFor({ state: "detached" });
        await page.waitForFunction((before) => [...document.querySelectorAll(".runs tbody td:nth-child(2)")].map((cell) => cell.textContent).join() !== before, before);
        await page.getByRole("button", { name: "Verify" }).click();
        await page.locator(".verdict").waitFor();
    }));

test("perft is that of the command line, and known numbers are compared", () =>
    withPage({ options: ["breakthrough.rbg"] }, async (page) => {
        await tab(page, "Measure");
        await page.getByLabel("by first moves").check();
        await page.getByRole("button", { name: "Count" }).click();
        await page.locator("tr[data-depth='4'] .right, tr[data-depth='4'] .leaves").first().waitFor();
        const leaves = (await page.locator("td.leaves").allTextContents()).map((text) => Number(text.replaceAll(",", "")));
        const lines = execFileSync(program, ["perft", "breakthrough.rbg", "4", "--json"], { encoding: "utf8" }).trim().split("\n");
        assert.deepEqual(leaves, lines.map((line) => JSON.parse(line).leaves));
        assert.ok((await page.locator("td.right").count()) >= 3);
        assert.equal(await page.locator(".shares li").count(), 22);
        await shot(page, "measure-perft");
    }));

test("playouts are measured for all engines", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await tab(page, "Measure");
        await page.getByRole("tab", { name: "Play" }).click();
        await page.getByRole("button", { name: "Analyse" }).click();
        await page.locator("button[aria-pressed=true]", { hasText: "Analyse" }).waitFor();
        await tab(page, "Measure");
        await page.getByLabel("seconds for an engine").fill("0.5");
        await page.locator("button.main", { hasText: "Measure" }).click();
        // What would take a part of the time has ended.
        await page.locator("button[aria-pressed=false]", { hasText: "Analyse" }).waitFor({ state: "attached" });
        await page.locator("tr[data-engine=naive]").waitFor();
        await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
        await page.locator(".courses").waitFor();
        assert.equal(await page.locator("tr[data-engine]").count(), 4);
        await shot(page, "measure");
        await page.getByLabel("seconds for an engine").fill("30");
        await page.locator("button.main", { hasText: "Measure" }).click();
        await page.getByRole("button", { name: "Stop" }).click();
        await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    }));

test("a match has results, and its games can be looked at", () =>
    withPage({ options: ["ticTacToe.rbg"], theme: "dark" }, async (page) => {
        await tab(page, "Match");
        await page.getByLabel("agents").fill("random, uct:100p, flat:50p");
        await page.getByLabel("games of each line-up").fill("4");
        await page.locator(".match").getByRole("button", { name: "Play" }).click();
        await page.getByText("12 of 12 games").waitFor();
        assert.equal(await page.locator(".match .figures-table:not([data-table]) tbody tr").count(), 3);
        // What each player has scored, whoever played it, is that of all games.
        const sums = await page.locator("[data-table=players] tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].slice(2).reduce((sum, cell) => sum + Number(cell.textContent), 0)));
        assert.deepEqual(sums, [12, 12]);
        assert.equal(await page.locator(".games li").count(), 12);
        await shot(page, "match-dark");
        // An own game waits meanwhile.
        await tab(page, "Play");
        await page.locator(".seat", { hasText: "noughts" }).locator("select").selectOption("person");
        await plays(page, "b2");
        await tab(page, "Match");
        await page.locator(".games button").first().click();
        await page.locator(".notice", { hasText: /Game 12 of the match: .* (random|uct:100p|flat:50p)/ }).waitFor();
        await headline(page, "to move");
        assert.ok((await page.locator(".made").count()) >= 5);
        await page.getByRole("button", { name: "Last position" }).click();
        await headline(page, "The game is over");
        await page.getByRole("button", { name: "Back to my game" }).click();
        await page.locator(".notice", { hasText: "of the match" }).waitFor({ state: "detached" });
        assert.equal(await page.locator(".made").count(), 1);
        await headline(page, "Noughts to move");
    }));

test("a match that is over before the server has answered shows all its games", () =>
    withPage({ options: ["matchingPennies.hrg"] }, async (page) => {
        // The answer comes as late as it may: behind all reports.
        await page.evaluate(() => {
            const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (text) {
                if (/"match/.test(text) && !this.heard) {
                    const heard = (this.heard = this.onmessage);
                    let [answer, isOver] = [null, false];
                    this.onmessage = (event) => {
                        if (/"result":\{"job"/.test(event.data)) answer = event;
                        else heard.call(this, event);
                        isOver ||= /"kind":"end"/.test(event.data);
                        if (answer && isOver) heard.call(this, answer);
                        if (answer && isOver) this.onmessage = heard;
                    };
                }
                return send.call(this, text);
            };
        });
        await tab(page, "Match");
        await page.getByLabel("agents").fill("random, flat:50p");
        await page.getByLabel("games of each line-up").fill("6");
        await page.locator(".match").getByRole("button", { name: "Play" }).click();
        await page.getByText("6 of 6 games").waitFor();
        assert.equal(await page.locator(".games li").count(), 6);
        await page.locator(".match").getByRole("button", { name: "Play" }).waitFor();
    }));

test("who wins every game is infinitely better, and who loses every game infinitely worse", () =>
    withPage({ options: ["connectFour"] }, async (page) => {
        await tab(page, "Match");
        await page.getByLabel("agents").fill("random, uct:400p");
        await page.getByLabel("games of each line-up").fill("4");
        await page.locator(".match").getByRole("button", { name: "Play" }).click();
        await page.getByText("4 of 4 games").waitFor();
        assert.deepEqual(await page.locator(".match .elo").allTextContents(), ["−∞", "+∞"]);
    }));

test("a match is stopped, and an agent that does not exist is no agent", () =>
    withPage({ options: ["connectFour"] }, async (page) => {
        await tab(page, "Match");
        await page.getByLabel("agents").fill("random, uct:1s");
        await page.locator(".match").getByRole("button", { name: "Play" }).click();
        await page.getByRole("button", { name: "Stop" }).click();
        await page.getByLabel("agents").fill("nobody");
        await page.locator(".match").getByRole("button", { name: "Play" }).click();
        await page.locator(".notice.bad", { hasText: "there is no agent" }).waitFor();
    }));

test("a report on the game", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await tab(page, "Audit");
        await page.getByLabel("playouts").fill("200");
        await page.getByRole("button", { name: "Audit", exact: true }).click();
        await page.getByRole("region", { name: "sizes" }).waitFor();
        assert.match(await page.getByRole("region", { name: "sizes" }).textContent(), /all, up to 9 moves/);
        assert.ok((await page.locator(".audit figure svg").count()) >= 3);
        await shot(page, "audit");
    }));

test("a pass that makes another game is shown with what it changed, and switched off", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await tab(page, "Passes");
        await page.locator(".runs tr[aria-selected=true]").waitFor();
        const pass = await page.locator(".runs tbody td:nth-child(2)").first().textContent();
        const texts = ["type Player = { p };\nbegin, a: x == y;\n", "type Player = { p };\nbegin, a: ;\n"];
        const guilty = { pass, number: 1, change: [1, 2], difference: "2 moves instead of 3", texts, comparisons: 3 };
        await page.evaluate((guilty) => {
            // There is no such pass: the server is made to report one.
            const { send } = WebSocket.prototype;
            WebSocket.prototype.send = function (text) {
                const request = JSON.parse(text);
                if (request.method !== "passes.verify") return send.call(this, text);
                WebSocket.prototype.send = send;
                const say = (message) => this.onmessage({ data: JSON.stringify(message) });
                setTimeout(() => {
                    say({ id: request.id, result: { job: 999 } });
                    setTimeout(() => {
                        say({ method: "job", params: { job: 999, kind: "verdict", what: { guilty } } });
                        say({ method: "job", params: { job: 999, kind: "end", what: null } });
                    }, 50);
                });
            };
        }, guilty);
        await page.getByRole("button", { name: "Verify" }).click();
        await page.locator(".notice .difference .cm-changedLine").first().waitFor();
        await shot(page, "passes-verdict");
        await page.getByRole("button", { name: "What it changed" }).click();
        await page.locator(".notice .difference").waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Switch it off" }).click();
        await page.locator(".passes .drop summary", { hasText: "1 off" }).waitFor();
        await page.locator(".notice", { hasText: "makes another game" }).waitFor({ state: "detached" });
    }));

test("the automaton is searched by labels and words of the rules as well, and says when it has nothing", () =>
    withPage({ options: ["chess"] }, async (page) => {
        await tab(page, "Automaton");
        await page.locator(".canvas .n").first().waitFor();
        const search = page.getByLabel("Find in the automaton");
        const status = page.locator(".graph .facts");
        // A macro of the rules, of which no node has the name.
        await search.fill("castle");
        await page.keyboard.press("Enter");
        await status.filter({ hasText: /1 of \d+ found/ }).waitFor();
        await page.locator(".canvas .n.selected").waitFor();
        const first = await page.locator(".canvas .n.selected").getAttribute("data-node");
        await page.keyboard.press("Enter");
        await status.filter({ hasText: /2 of \d+ found/ }).waitFor();
        await page.waitForFunction((first) => document.querySelector(".canvas .n.selected")?.dataset.node !== first, first);
        await search.fill("nothingofthekind");
        await page.keyboard.press("Enter");
        await status.filter({ hasText: "neither nodes, labels nor rules have" }).waitFor();
        await page.locator(".canvas .n.selected").waitFor({ state: "detached" });
    }));

/** Waits until one of some parts is inside the canvas. */
const isInView = (page, selector) =>
    page.waitForFunction((selector) => {
        const canvas = document.querySelector(".canvas").getBoundingClientRect();
        const isInside = (part) => part.left >= canvas.left && part.right <= canvas.right && part.top >= canvas.top && part.bottom <= canvas.bottom;
        return [...document.querySelectorAll(selector)].some((part) => isInside(part.getBoundingClientRect()));
    }, selector);

test("all of a large automaton is shown if that is wanted, and the nodes of the cursor", () =>
    withPage({ options: ["breakthrough.rbg"] }, async (page) => {
        await tab(page, "Automaton");
        await page.locator(".canvas .n").first().waitFor();
        await page.locator(".canvas").focus();
        await page.keyboard.press("0");
        await page.waitForFunction(() => {
            const canvas = document.querySelector(".canvas").getBoundingClientRect();
            return [...document.querySelectorAll(".canvas .n")].every((node) => {
                const { left, right, top, bottom } = node.getBoundingClientRect();
                return left >= canvas.left && right <= canvas.right && top >= canvas.top && bottom <= canvas.bottom;
            });
        });
        await shot(page, "graph-whole");
        for (let count = 0; count < 12; count++) await page.getByRole("button", { name: "Larger" }).click();
        await page.locator(".cm-content").click();
        await page.keyboard.press("Control+End");
        await page.getByRole("button", { name: "At the cursor" }).click();
        await page.locator(".graph .facts", { hasText: "no node was made" }).waitFor();
        await page.locator(".cm-line", { hasText: "anywhere {mine}" }).click();
        await page.getByRole("button", { name: "At the cursor" }).click();
        await isInView(page, ".canvas .n.here");
        // The walk of a move is brought into view, and again by what says how long it is.
        await tab(page, "Play");
        await seat(page, "black", "person");
        await clicks(page, "a2", "a3");
        await headline(page, "Black to move");
        await tab(page, "Automaton");
        await page.locator(".canvas .n.walked").first().waitFor();
        await page.getByLabel("Find in the automaton").fill("end");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "the last move crosses" }).click();
        await isInView(page, ".canvas .n.walked");
    }));

test("all passes are in view, and the list closes", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await tab(page, "Passes");
        await page.locator(".runs tr[aria-selected=true]").waitFor();
        const list = page.locator(".passes .drop .list");
        await page.locator(".passes .drop summary").click();
        await list.waitFor();
        const hidden = await list.locator("label").evaluateAll((labels) => labels.filter((label) => label.getBoundingClientRect().right > innerWidth).length);
        assert.equal(hidden, 0);
        assert.ok(await list.evaluate((list) => list.scrollWidth <= list.clientWidth));
        await shot(page, "passes-list");
        await page.keyboard.press("Escape");
        await list.waitFor({ state: "detached" });
        await page.locator(".passes .drop summary").click();
        await page.getByRole("button", { name: "All off" }).click();
        await page.locator(".passes .drop summary", { hasText: "off" }).waitFor();
        await page.getByRole("button", { name: "All on" }).click();
        await page.locator(".passes .drop summary", { hasText: /^passes$/ }).waitFor();
        await page.getByRole("tab", { name: "Passes" }).click();
        await list.waitFor({ state: "detached" });
        // Several runs are looked at together.
        const runs = page.locator(".runs tbody tr");
        await runs.first().click();
        await runs.nth(2).click({ modifiers: ["Shift"] });
        await page.locator(".passes .facts", { hasText: /runs \d+ to \d+ together/ }).first().waitFor();
        assert.ok((await page.locator(".runs tr[aria-selected=true]").count()) >= 3);
        await page.locator(".difference .cm-changedLine, .difference .cm-changedText").first().waitFor();
    }));

test("a number that cannot be becomes the nearest one that can, and what was stopped is said", () =>
    withPage({ options: ["chess"] }, async (page) => {
        await tab(page, "Measure");
        const depth = page.getByLabel("up to");
        await depth.fill("-3");
        await depth.blur();
        assert.equal(await depth.inputValue(), "1");
        await depth.fill("9");
        await page.getByRole("button", { name: "Count" }).click();
        await page.locator(".measure .state", { hasText: "counting depth" }).waitFor();
        await page.locator("tr[data-depth='2']").waitFor();
        await page.getByRole("button", { name: "Stop" }).click();
        await page.locator(".measure .state", { hasText: /stopped: without depths \d to 9/ }).waitFor();
    }));

test("one agent alone has no score, but the players of the game have", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        await tab(page, "Match");
        await page.locator(".match .drop summary").click();
        await page.locator(".match .drop dt", { hasText: "uct" }).getByRole("button").click();
        assert.equal(await page.getByLabel("agents").inputValue(), "random, uct:50ms, uct");
        await page.keyboard.press("Escape");
        await page.getByLabel("agents").fill("random");
        await page.getByLabel("games of each line-up").fill("5");
        await page.locator(".match").getByRole("button", { name: "Play" }).click();
        await page.getByText("5 of 5 games").waitFor();
        await page.locator("[data-table=players]").waitFor();
        assert.equal(await page.locator(".match .figures-table").count(), 1);
        // It is there again when one comes back.
        await page.locator(".library .entry", { hasText: "Breakthrough" }).first().click();
        await page.locator(".top .open", { hasText: /breakthrough/ }).waitFor();
        await page.locator("#search").fill("tic-tac-toe");
        await page.keyboard.press("Enter");
        await page.locator(".status.good").waitFor();
        await page.getByText("5 of 5 games").waitFor();
    }));

test("tabs stay where they are when another one is chosen", () =>
    withPage({ options: ["ticTacToe.rbg"] }, async (page) => {
        const tabs = page.getByRole("tab");
        const places = () => tabs.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left * 4)));
        const before = await places();
        assert.ok(before.length > 3);
        for (const one of await tabs.all()) {
            await one.click();
            assert.deepEqual(await places(), before);
        }
    }));
