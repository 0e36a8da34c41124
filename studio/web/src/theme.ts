// Light and dark: as the system has it, unless the reader has chosen.

export type Theme = "light" | "dark";

const KEY = "rgc-studio-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

function chosen(): Theme | null {
    try {
        const theme = localStorage.getItem(KEY);
        return theme === "light" || theme === "dark" ? theme : null;
    } catch {
        return null;
    }
}

export function theme(): Theme {
    return chosen() ?? (system.matches ? "dark" : "light");
}

export function applyTheme(): void {
    document.documentElement.dataset.theme = theme();
}

export function toggleTheme(): void {
    try {
        localStorage.setItem(KEY, theme() === "dark" ? "light" : "dark");
    } catch {
        // Without storage, the system decides.
    }
    applyTheme();
}

system.addEventListener("change", applyTheme);
