// A page about a game that needs no server: everything that it shows is in it.

import { render } from "preact";
import { applyTheme } from "../theme";
import { Page } from "./page";
import type { Contents } from "./types";

applyTheme();
const root = document.getElementById("app");
const contents: Contents | null = JSON.parse(document.getElementById("contents")?.textContent ?? "null");
// A list of pages only has its colours from here.
if (root && contents) render(<Page contents={contents} />, root);
