import { escapeHtml } from '../mail/mail-layout.ts';

const names = { google: 'Google', facebook: 'Facebook' } as const;

/** The page on which someone says who they are; `asked` comes back with the answer. Cancelling returns as the provider would. */
export function identityPage(
  provider: keyof typeof names,
  asked: Record<string, string | undefined> & { redirect_uri: string; state: string },
  action: string,
): string {
  const hidden = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`],
  );
  const cancel = `${asked.redirect_uri}?${new URLSearchParams({ error: 'access_denied', state: asked.state })}`;
  const verified =
    provider === 'google'
      ? 'The address counts as verified.'
      : 'Like Facebook, this page does not say whether the address is verified.';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${names[provider]} sign-in on this development server</title>
<link rel="stylesheet" href="/dev/identity/page.css">
</head>
<body>
<main>
<h1>Sign in as anyone</h1>
<p>This page stands in for ${names[provider]} on a development server. Nothing leaves this machine. ${verified}</p>
<form method="get" action="${escapeHtml(action)}">
${hidden.join('\n')}
<label>Name <input name="name" required maxlength="80" autocomplete="name"></label>
<label>Email <input name="email" type="email" required autocomplete="email"></label>
<button>Continue</button>
</form>
<p><a href="${escapeHtml(cancel)}">Cancel</a></p>
</main>
</body>
</html>
`;
}

export const identityStyle = `:root { color-scheme: light dark; }
html { background: Canvas; color: CanvasText; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 26rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.5rem; }
label { display: block; margin: 1rem 0; }
input, button { box-sizing: border-box; width: 100%; min-height: 44px; font: inherit; padding: 0 0.75rem; }
a { display: inline-block; min-height: 44px; line-height: 44px; }
`;
