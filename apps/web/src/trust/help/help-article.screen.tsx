import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useParams } from 'react-router';
import { errorText } from '../../lib/api/error.labels.ts';
import { side as sideSetting } from '../../lib/device/device-setting.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useLinkFrom } from '../../lib/pages/use-link-query.ts';
import { useUser } from '../../lib/session.ts';
import { Refused } from '../../ui/banner.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { type ArticleHead, articlePath } from './article.ts';
import { ArticleBody } from './article-body.tsx';
import { useHelp, vote } from './help.api.ts';
import { helpHome } from './help-home.tsx';
import './help.css';

export default function HelpArticleScreen() {
  const { t } = useLingui();
  const { slug = '' } = useParams();
  const user = useUser();
  const { query } = useLinkFrom();
  const { articleOf, bodyOf } = useHelp();
  const article = articleOf(slug);
  const home = helpHome(user);
  if (!article)
    return (
      <Screen title={t`Article not found`} heading={null} back={home} width="narrow">
        <div className="center-page">
          <EmptyState
            level="h1"
            art="error"
            title={t`Article not found`}
            actions={
              <ButtonLink kind="go" full to={home}>
                {t`Search the help`}
              </ButtonLink>
            }
          >
            <p>{t`It was renamed or removed.`}</p>
          </EmptyState>
        </div>
      </Screen>
    );
  const contact = `/tabs/menu/contact${query}`;
  return (
    <Screen title={article.title} back={home}>
      <article key={slug} className="help-reading">
        <ArticleBody blocks={bodyOf(slug)} />
        <Helpful article={slug} contact={contact} />
        <More article={article} />
        <p className="no-print">
          <ButtonLink kind="out" icon="envelope-simple" to={contact}>
            {t`Contact us`}
          </ButtonLink>
        </p>
      </article>
    </Screen>
  );
}

function More({ article }: { article: ArticleHead }) {
  const { t } = useLingui();
  const { articleOf, articlesFor } = useHelp();
  const side = article.side === 'both' ? sideSetting.get() : article.side;
  const slugs = new Set(articlesFor(side).map(({ slug }) => slug));
  const related = article.related.flatMap((slug) => (slugs.has(slug) ? (articleOf(slug) ?? []) : []));
  if (related.length === 0) return null;
  return (
    <section className="no-print">
      <h2 className="h-s help-head">{t`Related articles`}</h2>
      <Card flush>
        {related.map(({ slug, title }) => (
          <ListRow key={slug} title={title} to={articlePath(slug)} />
        ))}
      </Card>
    </section>
  );
}

function Helpful({ article, contact }: { article: string; contact: string }) {
  const { t } = useLingui();
  const action = useAction(errorText);
  const [isHelpful, setHelpful] = useState<boolean | null>(null);
  const submit = (helpful: boolean) =>
    void action.run(async () => {
      await vote(article, helpful);
      setHelpful(helpful);
    });
  return (
    <section className="card col g3 no-print" aria-labelledby="helpful">
      <h2 id="helpful" className="h-s">{t`Was this helpful?`}</h2>
      <div className="row g2">
        <Button
          kind="out"
          size="s"
          icon="thumbs-up"
          aria-pressed={isHelpful === true}
          busy={action.busy}
          onClick={() => submit(true)}
        >
          {t`Yes, it helped`}
        </Button>
        <Button
          kind="out"
          size="s"
          aria-pressed={isHelpful === false}
          busy={action.busy}
          onClick={() => submit(false)}
        >
          {t`No, it didn't`}
        </Button>
      </div>
      <p className="sm mute" role="status">
        {isHelpful === true ? t`Thank you. That tells us which articles to keep.` : null}
        {isHelpful === false
          ? t`Thank you. We'll work on it. Tell us what's missing, and we'll answer you.`
          : null}
      </p>
      {isHelpful === false ? (
        <ButtonLink kind="quiet" size="s" icon="envelope-simple" to={contact}>
          {t`Contact us`}
        </ButtonLink>
      ) : null}
      <Refused text={action.refusal} />
    </section>
  );
}
