import { plural, t as say } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Profile } from '@nearhand/contract/people/profiles';
import type { ReactNode } from 'react';
import { fileUrl, saveStoredFile } from '../../lib/forms/stored-file.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { skillLevelText, skillText } from '../../lib/words/taxonomy-text.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card, Fact } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { availabilityText, languageLevelText, languageName } from './profile-words.ts';
import './profiles.css';

const shortYears = (years: number): string =>
  years === 0 ? say`under 1 year` : say`${plural(years, { one: '# y', other: '# y' })}`;

/** Your own profile: first what businesses see, then what only you see. */
export function ProfileView({ profile, onEdit }: { profile: Profile; onEdit: () => void }) {
  const { t } = useLingui();
  const week = availabilityText(profile.availability);
  const nothing = (text: string) => <p className="mute">{text}</p>;
  return (
    <div className="profile-view two-up">
      <div className="row g4 wide-part">
        <Avatar size="l" name={profile.name || '?'} src={fileUrl(profile.photo?.path)} />
        <div className="grow">
          <h1 className="h-l">{profile.name || t`No name yet`}</h1>
          <p className="mute">{profile.home?.label ?? t`No home area yet`}</p>
        </div>
      </div>
      <div className="wide-part">
        {profile.bio === ''
          ? nothing(t`Introduce yourself. Businesses read this first.`)
          : profile.bio.split(/\n+/).map((line) => (
              <p key={line} dir="auto">
                {line}
              </p>
            ))}
      </div>
      <Part title={t`Skills`}>
        {profile.skills.length === 0 ? (
          <>
            {nothing(t`No skills yet. Add some to see matching work.`)}
            <p>
              <Button kind="out" size="s" icon="plus" needsNetwork onClick={onEdit}>
                {t`Add skills`}
              </Button>
            </p>
          </>
        ) : (
          <Card flush>
            {profile.skills.map((one) => (
              <div key={one.skill} className="li">
                <span className="grow t">{skillText(one.skill)}</span>
                <Badge>{skillLevelText(one.level)}</Badge>
                <span className="sm mute num">{shortYears(one.years)}</span>
              </div>
            ))}
          </Card>
        )}
      </Part>
      <Part title={t`Usually free`}>
        {week.length === 0 ? (
          nothing(t`Not set yet.`)
        ) : (
          <dl className="profile-week">
            {week.map(({ day, parts }) => (
              <div key={day} className="week-row">
                <dt className="mid">{day}</dt>
                <dd>{parts}</dd>
              </div>
            ))}
          </dl>
        )}
      </Part>
      <Part title={t`Languages`}>
        {profile.languages.length === 0
          ? nothing(t`Not set yet.`)
          : profile.languages.map((one) => (
              <p key={one.code}>
                <span className="mid">{languageName(one.code)}</span>{' '}
                <span className="mute">{languageLevelText(one.level)}</span>
              </p>
            ))}
      </Part>
      <Part
        title={t`Only visible to you`}
        note={t`No one sees your phone number or exact home location before you're hired.`}
      >
        <Fact icon="phone" title={profile.phone ?? t`No phone yet`} />
        {profile.cv ? (
          <Fact
            icon="file"
            title={profile.cv.name}
            note={formatBytes(profile.cv.bytes)}
            end={
              <Button
                kind="out"
                size="s"
                icon="download-simple"
                needsNetwork
                onClick={() => {
                  const { cv } = profile;
                  if (cv) saveStoredFile(cv).catch(() => showToast(t`We couldn't open the CV.`));
                }}
              >
                {t`Open`}
              </Button>
            }
          />
        ) : (
          <Fact
            icon="file"
            title={t`No CV yet`}
            end={
              <Button kind="out" size="s" icon="plus" onClick={onEdit}>
                {t`Add a CV`}
              </Button>
            }
          />
        )}
      </Part>
    </div>
  );
}

function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section className="profile-part">
      <div>
        <h2 className="h-s">{title}</h2>
        {note ? <p className="sm mute">{note}</p> : null}
      </div>
      {children}
    </section>
  );
}
