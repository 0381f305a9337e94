import { Trans } from '@lingui/react/macro';
import type { NearbyPage } from '@nearhand/contract/hiring/nearby';
import { joined } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';

/** Names the similar words that were also searched for, because few or no jobs use a typed one. */
export default function Respelled({ words }: { words: NearbyPage['respelled'] }) {
  const typed = joined(...words.map((word) => `“${word.typed}”`));
  const meant = joined(...words.flatMap((word) => word.meant.map((word) => `“${word}”`)));
  return (
    <Banner tone="here" icon="magnifying-glass" live>
      <Trans>
        Few jobs mention {typed}, so we also searched for {meant}.
      </Trans>
    </Banner>
  );
}
