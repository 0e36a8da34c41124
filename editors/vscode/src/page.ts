// The page that a picture is shown on. Nothing in it runs, and nothing is loaded from anywhere.

const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/** A page with a picture in SVG, or with what is wrong. A picture is shown as an image, so that nothing in it is part of the page. */
export function page(content: { picture: string } | { wrong: string }): string {
  const body =
    'picture' in content
      ? `<img alt="The automaton" src="data:image/svg+xml;base64,${Buffer.from(content.picture).toString('base64')}">`
      : `<pre>${escaped(content.wrong)}</pre>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<style>body { margin: 0; } img { background: white; } pre { padding: 1em; }</style>
</head>
<body>${body}</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
