import { render } from "preact";
import { App } from "./app";
import { store } from "./store";
import { applyTheme } from "./theme";

applyTheme();
const root = document.getElementById("app");
if (root) {
    root.replaceChildren();
    render(<App />, root);
}
void store.start();
