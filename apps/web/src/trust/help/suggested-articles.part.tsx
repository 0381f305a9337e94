import { useLingui } from '@lingui/react/macro';
import { useDeferredValue, useMemo } from 'react';
import { side as sideSetting, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { Card, ListRow } from '../../ui/card.tsx';
import { articlePath } from './article.ts';
import { useHelp } from './help.api.ts';

const shown = 3;
/** Shorter words say too little. */
const leastWords = 4;

/** Articles that may answer what is being typed. */
export function SuggestedArticles({ words }: { words: string }) {
  const { t } = useLingui();
  const side = useDeviceSetting(sideSetting);
  const { searchArticles } = useHelp();
  const asked = useDeferredValue(words.trim());
  const found = useMemo(
    () => (asked.length < leastWords ? [] : searchArticles(asked, side).slice(0, shown)),
    [asked, side, searchArticles],
  );
  if (found.length === 0) return null;
  return (
    <section aria-live="polite">
      <h2 className="sm strong help-head">{t`This may answer it`}</h2>
      <Card flush>
        {found.map(({ slug, title }) => (
          <ListRow key={slug} title={title} to={articlePath(slug)} />
        ))}
      </Card>
    </section>
  );
}
