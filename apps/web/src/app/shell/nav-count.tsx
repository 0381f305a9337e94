const max = 99;

/** The badge of a menu entry or tab, with text for screen readers; hidden at zero. */
export function NavCount({
  count,
  words,
  hot = false,
  upTo = max,
}: {
  count: number | undefined;
  words: string;
  /** Unread: in orange. */
  hot?: boolean;
  /** The count is capped at this. */
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
