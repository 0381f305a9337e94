import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { dayIn, joined, ownTimeZone } from '../../lib/words/format.ts';
import { dayAfter } from '../../lib/words/zoned-time.ts';
import { fold } from '../../people/places/fold.ts';
import { Banner } from '../../ui/banner.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import type { NearbyFilters } from './nearby-filters.ts';
import type { Nearby } from './use-nearby.ts';

const quoted = (words: readonly string[]) => joined(...words.map((word) => `“${word}”`));

/** Says how the list differs from the typed words: some are left out, others are misspelt or rare. */
export default function SearchedWords({ nearby }: { nearby: Nearby }) {
  const { leftOut, respelled } = nearby;
  const unused = quoted(leftOut?.words ?? []);
  const searched = quoted(leftOut ? [leftOut.searched] : []);
  const typed = quoted(respelled.map((word) => word.typed));
  const meant = quoted(respelled.flatMap((word) => word.meant));
  return (
    <>
      {leftOut ? (
        <Banner tone="here" icon="magnifying-glass" live>
          <Trans>
            No jobs match all of these words. Showing jobs for {searched} without {unused}.
          </Trans>
        </Banner>
      ) : null}
      {leftOut ? <WordFilters nearby={nearby} words={leftOut.words} rest={leftOut.searched} /> : null}
      {respelled.length > 0 ? (
        <Banner tone="here" icon="magnifying-glass" live>
          <Trans>
            Few jobs mention {typed}, so we also searched for {meant}.
          </Trans>
        </Banner>
      ) : null}
    </>
  );
}

type WordFilter = { label: string; change: Partial<NearbyFilters> };

/** Words for days, in the languages of the app, folded as `fold` writes them. */
const dayWords = {
  today: ['today', 'vandaag', 'heute', "aujourd'hui", 'hoy', 'اليوم'],
  tomorrow: ['tomorrow', 'morgen', 'demain', 'manana', 'غدا'],
  weekend: ['weekend', 'wochenende', 'week end', 'fin de semana', 'نهايه الاسبوع'],
};
const saturday = 6;

/** The filter that a typed word asks for: days, or pay an hour in a currency with two decimal places. Null for other words. */
export function filterOfWord(word: string, today: string): WordFilter | null {
  const text = fold(word).trim();
  const after = (days: number) => dayAfter(today, days);
  if (dayWords.today.includes(text)) return { label: t`Today`, change: { from: today, to: today } };
  if (dayWords.tomorrow.includes(text))
    return { label: t`Tomorrow`, change: { from: after(1), to: after(1) } };
  if (dayWords.weekend.includes(text)) {
    const weekday = new Date(today).getUTCDay();
    const from = weekday === 0 ? 0 : saturday - weekday;
    return { label: t`This weekend`, change: { from: after(from), to: after(weekday === 0 ? 0 : from + 1) } };
  }
  const [, before, behind] = /^(?:[€£$](\d{1,3})|(\d{1,3})[€£$])$/.exec(text) ?? [];
  const amount = Number(before ?? behind ?? 0);
  return amount > 0 ? { label: t`${word} or more`, change: { minPay: amount * 100 } } : null;
}

/** Offers filters for words that no job matches. `rest` is the text to search for once one is chosen. */
export function WordFilters({
  nearby,
  words,
  rest,
}: {
  nearby: Nearby;
  words: readonly string[];
  rest: string;
}) {
  const { t } = useLingui();
  const today = dayIn(new Date(), ownTimeZone());
  const offered = words.flatMap((word) => filterOfWord(word, today) ?? []);
  return offered.length === 0 ? null : (
    <div className="named-chips">
      <Chips label={t`Filters`} wrap>
        {offered.map(({ label, change }) => (
          <Chip
            key={label}
            needsNetwork={nearby.needsNetwork({ ...change, q: rest })}
            onClick={() => nearby.setFilters({ ...change, q: rest })}
          >
            {label}
          </Chip>
        ))}
      </Chips>
    </div>
  );
}
