import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { vote } from './help.api.ts';

export function Helpful({ article, contact }: { article: string; contact: string }) {
  const { t } = useLingui();
  const move = useMove(errorText);
  const [said, setSaid] = useState<boolean | null>(null);
  const submit = (helpful: boolean) =>
    void move.run(async () => {
      await vote(article, helpful);
      setSaid(helpful);
    });
  return (
    <section className="card col g3 no-print" aria-labelledby="helpful">
      <h2 id="helpful" className="h-s">{t`Was this helpful?`}</h2>
      <div className="row g2">
        <Button
          kind="out"
          size="s"
          icon="thumbs-up"
          aria-pressed={said === true}
          busy={move.busy}
          onClick={() => submit(true)}
        >
          {t`Yes, it helped`}
        </Button>
        <Button
          kind="out"
          size="s"
          aria-pressed={said === false}
          busy={move.busy}
          onClick={() => submit(false)}
        >
          {t`No, it didn't`}
        </Button>
      </div>
      <p className="sm mute" role="status">
        {said === true ? t`Thank you. That tells us which articles to keep.` : null}
        {said === false
          ? t`Thank you. We'll work on it. Tell us what's missing, and we'll answer you.`
          : null}
      </p>
      {said === false ? (
        <ButtonLink kind="quiet" size="s" icon="envelope-simple" to={contact}>
          {t`Contact us`}
        </ButtonLink>
      ) : null}
      <Refused text={move.refusal} />
    </section>
  );
}
