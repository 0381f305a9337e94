import { useLingui } from '@lingui/react/macro';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import type { ReactNode } from 'react';
import { BusinessMark } from './art/avatar.tsx';
import { Icon } from './art/icon.tsx';
import { Near } from './art/rings.tsx';
import { Badge } from './badge.tsx';
import { Link } from './controls/link.tsx';

type JobCardProps = {
  pay: string;
  payNotes: readonly string[];
  title: string;
  who: string;
  verified?: boolean;
  rating?: { short: string; full: string } | null;
  category: CategoryId;
  logo?: string | null;
  distanceM?: number | null;
  near: string;
  when: string | null;
  to: string;
  /** Applicants are hired at once while a spot is free. */
  instant?: boolean;
  funded?: boolean;
  badges?: ReactNode;
  action?: ReactNode;
  selected?: boolean;
  level?: 2 | 3 | 4;
};

/** Money, then what, then who, then distance and time. The whole card links to the job. */
export function JobCard(props: JobCardProps) {
  const { t } = useLingui();
  const Heading = `h${props.level ?? 3}` as 'h2' | 'h3' | 'h4';
  return (
    <article className={props.selected ? 'job sel' : 'job'}>
      <div className="row top">
        <div className="grow">
          <p className="pay">
            <b>{props.pay}</b>
            <span>
              {props.payNotes.map((note) => (
                <span key={note} className="block">
                  {note}
                </span>
              ))}
            </span>
          </p>
          <Heading className="job-title">
            <Link to={props.to} className="cover">
              {props.title}
            </Link>
          </Heading>
          <p className="who">
            {props.who}
            {props.verified ? (
              <span className="verified">
                <Icon name="seal-check" label={t`Verified business`} />
              </span>
            ) : null}
            {props.rating ? (
              <span className="star">
                <Icon name="star-fill" />
                <span aria-hidden="true">{props.rating.short}</span>
                <span className="vh">{props.rating.full}</span>
              </span>
            ) : null}
            {props.funded ? <Badge tone="good" icon="shield-check">{t`Funded`}</Badge> : null}
            {props.instant ? <Badge icon="sparkle">{t`Instant hire`}</Badge> : null}
            {props.badges}
          </p>
        </div>
        <BusinessMark src={props.logo ?? null} category={props.category} />
      </div>
      <div className="foot">
        <div className="where">
          <span className="near">
            {props.distanceM === undefined || props.distanceM === null ? (
              <Icon name="map-pin" />
            ) : (
              <Near metres={props.distanceM} />
            )}
            {props.near}
          </span>
          {props.when ? <span>{props.when}</span> : null}
        </div>
        {props.action}
      </div>
    </article>
  );
}

export function BandHead({
  metres,
  title,
  note,
  level: Level = 'h2',
}: {
  metres: number;
  title: string;
  note?: string;
  level?: 'h2' | 'h3';
}) {
  return (
    <div className="band">
      <Near metres={metres} />
      <Level className="band-title">{title}</Level>
      {note ? <span>{note}</span> : null}
    </div>
  );
}
