import { Trans } from '@lingui/react/macro';
import { formatMoney, joined, quoted } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import type { Nearby } from './use-nearby.ts';

const quotedWords = (words: readonly string[]) => joined(...words.map(quoted));

/** Explains how the list differs from the typed words: some are left out, others are misspelt or rare. */
export default function SearchedWords({ nearby }: { nearby: Nearby }) {
  const { leftOut, respelled, payUpTo, unwanted, unsearchable, jobs } = nearby;
  const upper = payUpTo === null ? null : formatMoney(payUpTo, jobs[0]?.pay.currency ?? 'EUR');
  const days = quotedWords(unwanted ? [unwanted] : []);
  const ignored = quotedWords(unsearchable ? [unsearchable] : []);
  const unused = quotedWords(leftOut?.words ?? []);
  const searched = quotedWords(leftOut ? [leftOut.searched] : []);
  const typed = quotedWords(respelled.map((word) => word.typed));
  const corrections = quotedWords(respelled.flatMap((word) => word.meant));
  return (
    <>
      {upper ? (
        <Banner tone="here" icon="magnifying-glass" live>
          <Trans>Jobs that pay more than {upper} are shown too.</Trans>
        </Banner>
      ) : null}
      {unwanted ? (
        <Banner tone="here" icon="magnifying-glass" live>
          <Trans>You can leave out weekdays only, so {days} doesn’t limit this search.</Trans>
        </Banner>
      ) : null}
      {unsearchable ? (
        <Banner tone="here" icon="magnifying-glass" live>
          <Trans>Jobs are shown whether or not they match {ignored}.</Trans>
        </Banner>
      ) : null}
      {leftOut || respelled.length > 0 ? (
        <Banner tone="here" icon="magnifying-glass" live>
          {leftOut ? (
            <p>
              <Trans>
                No jobs match all of these words. Showing jobs for {searched} without {unused}.
              </Trans>
            </p>
          ) : null}
          {respelled.length > 0 ? (
            <p>
              <Trans>
                Few or no jobs mention {typed}, so we also searched for {corrections}.
              </Trans>
            </p>
          ) : null}
        </Banner>
      ) : null}
    </>
  );
}
