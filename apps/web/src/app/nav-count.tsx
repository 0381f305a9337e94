const most = 99;

/** How many wait behind an entry of the menu or a tab, said in words to who does not see it; nothing where there is nothing. */
export function NavCount({
  count,
  words,
  hot = false,
  upTo = most,
}: {
  count: number | undefined;
  words: string;
  /** Unread: in orange. */
  hot?: boolean;
  /** As far as it was counted. */
  upTo?: number;
}) {
  if (!count) return null;
  return (
    <span className={hot ? 'n num hot' : 'n num'}>
      {count > Math.min(upTo, most) ? `${Math.min(upTo, most)}+` : count}
      <span className="vh"> {words}</span>
    </span>
  );
}
