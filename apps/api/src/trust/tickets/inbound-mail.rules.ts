type Headers = readonly { key: string; value: string }[];

/** Answers of machines: out of office, bounces, lists. Replying to them could go on forever. */
export function isAutomatic(headers: Headers): boolean {
  const textOf = (name: string) =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase();
  const auto = textOf('auto-submitted');
  return (
    (auto !== undefined && auto !== 'no') ||
    ['bulk', 'junk', 'list', 'auto_reply'].includes(textOf('precedence') ?? '') ||
    textOf('x-autoreply') !== undefined ||
    textOf('return-path') === '<>'
  );
}

/** Lines after which a mail program repeats the mail that is answered, in the usual languages. Matched per line, cut to this length. */
const lineMax = 300;
const quoteStarts = [
  /^(On|Am|Op|Le|El|Il|Em) .*(wrote|schrieb|schreef|écrit|escribió|scritto|escreveu) ?.*:$/,
  /^-{2,} ?(Original Message|Forwarded message|Ursprüngliche Nachricht|Oorspronkelijk bericht)/i,
  /^_{20,}$/,
  /^(From|Von|Van|De): .*@/,
  /^-- $/,
];

/** What someone wrote above the mail they answered; the whole text if nothing is above it. */
export function ownWords(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const end = lines.findIndex((line, index) => {
    // Programs break the sentence above the quote over two lines.
    const two = `${line} ${lines[index + 1] ?? ''}`.slice(0, lineMax).trimEnd();
    return quoteStarts.some((start) => start.test(line.slice(0, lineMax)) || start.test(two));
  });
  const above = (end === -1 ? lines : lines.slice(0, end)).filter((line) => !line.startsWith('>'));
  return above.join('\n').trim() || text.trim();
}
