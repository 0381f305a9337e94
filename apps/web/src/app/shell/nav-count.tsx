const max = 99;

export function NavCount({
  count,
  words,
  hot = false,
  upTo = max,
}: {
  count: number | undefined;
  words: string;
  hot?: boolean;
  upTo?: number;
}) {
  if (!count) return null;
  return (
    <span className={hot ? 'n num hot' : 'n num'}>
      {count > Math.min(upTo, max) ? `${Math.min(upTo, max)}+` : count}
      <span className="vh"> {words}</span>
    </span>
  );
}
