// Builds the page into ../dist: the script, the style sheet, the page itself and its icon, and the script of pages that need no server.
import { build, context } from "esbuild";
import { copyFileSync } from "node:fs";

const options = {
    entryPoints: [
        { in: "src/main.tsx", out: "app" },
        { in: "src/page/main.tsx", out: "page" },
        { in: "src/styles/index.css", out: "app" },
    ],
    outdir: "../dist",
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
};

for (const file of ["index.html", "icon.svg"]) copyFileSync(`src/${file}`, `../dist/${file}`);
if (process.argv.includes("--watch")) {
    await (await context(options)).watch();
} else {
    await build(options);
}
