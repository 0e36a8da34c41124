import { withPage, shot } from "./support.mjs";
for (const name of ["ultimateTicTacToe.rbg", "ultimateTicTacToe.hrg", "backgammon.hrg"])
await withPage({ options: [name] }, async (page) => {
  await page.locator(".headline").waitFor(); await page.waitForTimeout(1500);
  console.log(name, await page.locator(".can").count(), await page.locator("[data-place]").count(), (await page.locator("[data-place]").evaluateAll((a) => a.slice(0,12).map((x) => x.dataset.place))).join(" "), (await page.locator(".move .text").allTextContents()).slice(0, 5));
  await shot(page, "dbg-" + name);
});
