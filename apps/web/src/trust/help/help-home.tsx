import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { ServicePart } from '@nearhand/contract/trust/service-status.rules';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { side as sideSetting, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { useLinkFrom } from '../../lib/pages/use-link-query.ts';
import { type SessionUser, useUser } from '../../lib/session.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import type { IconName } from '../../ui/art/icon-names.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useServiceState } from '../service-status/service-status.api.ts';
import { TicketList } from '../tickets/ticket-list.tsx';
import { type ArticleHead, articlePath } from './article.ts';
import { type HelpSide, useArticleSearch, useHelp } from './help.api.ts';
import './help.css';

/** The help's start page: the specification's path needs a session. */
export const helpHome = (user: SessionUser | null): string =>
  user?.emailVerified ? '/help-center' : '/tabs/menu/help';

const resultsMax = 12;

export function HelpHome() {
  const { t } = useLingui();
  const user = useUser();
  const chosenSide = useDeviceSetting(sideSetting);
  const [side, setSide] = useState<HelpSide>(chosenSide);
  const [words, setWords] = useState('');
  const searchText = useDeferredValue(words.trim());
  const { query } = useLinkFrom();
  const contact = `/tabs/menu/contact${query}`;
  return (
    <Screen title={t`Help`} back="menu">
      <div className="col g5">
        <ServiceBanner />
        {/* biome-ignore lint/a11y/useSemanticElements: older web views don't support <search>. */}
        <form role="search" onSubmit={(event) => event.preventDefault()}>
          <TextInput
            label={t`Search the help`}
            type="search"
            icon="magnifying-glass"
            enterKeyHint="search"
            autoComplete="off"
            placeholder={t`Check-in, fees, password`}
            maxLength={limits.searchMax}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        </form>
        {searchText === '' ? (
          <>
            <Segmented
              label={t`Articles for`}
              value={side}
              options={[
                { value: 'work', label: t`Work` },
                { value: 'hire', label: t`Hire` },
              ]}
              onChange={setSide}
            />
            <Browse side={side} />
          </>
        ) : (
          <Results words={searchText} side={side} contact={contact} />
        )}
        {user && searchText === '' ? (
          <>
            <TicketList />
            <Card flush>
              <ListRow
                title={t`Decisions and reports`}
                note={t`What we decided about you or what you reported`}
                to="/tabs/menu/decisions"
              />
            </Card>
          </>
        ) : null}
        <Card roomy as="section">
          <div className="col g3">
            <h2 className="h-s">{t`Still need help?`}</h2>
            <p className="mute">{t`Tell us what happened. A person reads it and answers you.`}</p>
            <ButtonLink kind="go" icon="envelope-simple" to={contact}>
              {t`Contact us`}
            </ButtonLink>
          </div>
        </Card>
      </div>
    </Screen>
  );
}

function Results({ words, side, contact }: { words: string; side: HelpSide; contact: string }) {
  const { t } = useLingui();
  const results = useArticleSearch(words, side).slice(0, resultsMax);
  if (results.length === 0)
    return (
      <div role="status">
        <EmptyState
          title={t`No article about that`}
          actions={
            <ButtonLink kind="out" full to={contact}>
              {t`Ask us`}
            </ButtonLink>
          }
        >
          <p>{t`Try another word, or write to us.`}</p>
        </EmptyState>
      </div>
    );
  return (
    <section>
      <h2 className="vh">{t`Articles found`}</h2>
      <Rows articles={results} />
    </section>
  );
}

function Browse({ side }: { side: HelpSide }) {
  const { t, i18n } = useLingui();
  const articles = useHelp().articlesFor(side);
  const popular = articles.filter((article) => article.popular);
  return (
    <>
      <Section title={t`Popular`}>
        <Rows articles={popular} />
      </Section>
      <Section title={t`All topics`}>
        <div className="col g2">
          {Object.entries(helpTopics).map(([topic, { title, icon }]) => {
            const topicArticles = articles.filter((article) => article.topic === topic);
            return topicArticles.length === 0 ? null : (
              <details key={topic} className="card flush help-topic">
                <summary className="li press">
                  <Icon name={icon} />
                  <span className="grow t">{i18n._(title)}</span>
                  <span className="mute num sm">{topicArticles.length}</span>
                  <Icon name="caret-down" className="mute caret" />
                </summary>
                {topicArticles.map((article) => (
                  <ListRow key={article.slug} title={article.title} to={articlePath(article.slug)} />
                ))}
              </details>
            );
          })}
        </div>
      </Section>
    </>
  );
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h2 className="h-s help-head">{title}</h2>
    {children}
  </section>
);

const Rows = ({ articles }: { articles: readonly ArticleHead[] }) => (
  <Card flush>
    {articles.map(({ slug, title }) => (
      <ListRow key={slug} title={title} to={articlePath(slug)} />
    ))}
  </Card>
);

/** The topics of the help page, named after the folders of the articles. */
const helpTopics: Record<string, { title: MessageDescriptor; icon: IconName }> = {
  start: { title: msg`Getting started`, icon: 'sparkle' },
  'find-work': { title: msg`Finding work`, icon: 'compass' },
  'on-the-job': { title: msg`On the job`, icon: 'calendar-check' },
  pay: { title: msg`Pay and balance`, icon: 'wallet' },
  hire: { title: msg`Hiring`, icon: 'storefront' },
  safety: { title: msg`Disputes and safety`, icon: 'shield-check' },
  account: { title: msg`Your account and this app`, icon: 'gear' },
  legal: { title: msg`Privacy and legal`, icon: 'article' },
};

function ServiceBanner() {
  const { t } = useLingui();
  const { data } = useServiceState();
  if (!data) return null;
  const { message, slow } = data;
  const texts: Record<ServicePart, string> = {
    email: t`Emails are arriving late.`,
    push: t`Push notifications are arriving late.`,
    payments: t`Payments are taking longer than usual. Don't pay again: each payment happens once.`,
    tasks: t`Reminders and automatic steps are running late.`,
  };
  return (
    <>
      {message ? (
        <Banner tone="wait" icon="megaphone" live>
          <p dir="auto">{message.text}</p>
          {message.endsAt ? (
            <p className="sm mt1">{t`Expected to be over ${formatDate(message.endsAt, ownTimeZone())}.`}</p>
          ) : null}
        </Banner>
      ) : null}
      {slow.map((part) => (
        <Banner key={part} tone="wait" icon="clock-countdown">
          {texts[part]}
        </Banner>
      ))}
    </>
  );
}
