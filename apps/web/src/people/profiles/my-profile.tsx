import { useLingui } from '@lingui/react/macro';
import { findableChoices } from '@nearhand/contract/people/profile-choices';
import type { Profile, ProfileInput } from '@nearhand/contract/people/profiles';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { isApiError, isNetworkError } from '../../lib/api/api-error.ts';
import { errorText, fieldIssues } from '../../lib/api/error.labels.ts';
import { summaryOf } from '../../lib/forms/form-model.ts';
import { usePhoneText } from '../../lib/forms/phone.ts';
import { useRecordForm } from '../../lib/forms/record-form.ts';
import { nextOf } from '../../lib/pages/next-path.ts';
import { formatBytes, formatMinutes, joined } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, EnterSubmits } from '../../ui/controls/button.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { ErrorSummary } from '../../ui/controls/error-summary.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { withHomeCountry } from '../places/find-place.ts';
import {
  findableText,
  languageLevelText,
  languageName,
  profileErrors,
  profileFieldText,
  profileFreeTimes,
} from './profile.labels.ts';
import { ProfileFields } from './profile-fields.tsx';
import { PhotoField, ProfileCvField } from './profile-files.tsx';
import { changesOfProfile, formOfProfile, type ProfileField, profileFields } from './profile-form.rules.ts';
import { uploadProfileFile, useMyProfile, useSaveProfile } from './profiles.api.ts';
import { SkillPicker } from './skill-picker.tsx';
import './profiles.css';
import { plural, t as say } from '@lingui/core/macro';
import { fileUrl, saveStoredFile } from '../../lib/forms/stored-file.ts';
import { skillLevelText, skillText } from '../../lib/words/taxonomy.labels.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card, Fact } from '../../ui/card.tsx';

/** The part of the form at which editing starts. */
type EditStart = 'top' | 'cv' | 'skills' | 'findable';

export function MyProfile({ below }: { below: ReactNode }) {
  const { t } = useLingui();
  const query = useMyProfile();
  const navigate = useNavigate();
  const { search } = useLocation();
  // A page that found something missing links to the form, and gets the person back.
  const [editing, setEditing] = useState<EditStart | null>(() =>
    new URLSearchParams(search).has('edit') ? 'top' : null,
  );
  const profile = query.data;
  const finish = () => {
    const next = nextOf(search);
    if (next) navigate(next, { replace: true });
    else setEditing(null);
  };
  if (editing && profile) return <EditProfile profile={profile} start={editing} onDone={finish} />;
  return (
    <Screen
      title={t`My profile`}
      heading={null}
      back="/tabs/menu/account"
      width="wide"
      dock={
        profile ? (
          <Button kind="go" full icon="pencil-simple" onClick={() => setEditing('top')}>
            {t`Edit profile`}
          </Button>
        ) : undefined
      }
    >
      <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load your profile`}>
        {(data) => (
          <div className="profile-page">
            <ProfileView profile={data} onEdit={setEditing} />
            <div>{below}</div>
          </div>
        )}
      </QueryState>
    </Screen>
  );
}

const baseOf = (profile: Profile) => ({ form: formOfProfile(profile), version: profile.version });
const words = (fields: readonly ProfileField[]) => joined(...fields.map(profileFieldText));

/** Undefined: unchanged; null: removed; a file: uploaded when the form is saved. */
type FileChange = File | null | undefined;

const fileId = (purpose: 'photo' | 'cv') => `profile-${purpose}`;

/** Edits a profile and its files. */
function useProfileEdit({ profile, onDone }: EditProfileProps) {
  const { t } = useLingui();
  const edit = useRecordForm(baseOf(profile), profileErrors);
  const profileQuery = useMyProfile();
  const save = useSaveProfile();
  const [files, setFiles] = useState<{ photo: FileChange; cv: FileChange }>({
    photo: undefined,
    cv: undefined,
  });
  const [fileErrors, setFileErrors] = useState<{ photo?: string; cv?: string }>({});

  const storedFiles = async (): Promise<ProfileInput | null> => {
    const input: ProfileInput = {};
    for (const purpose of ['photo', 'cv'] as const) {
      const fileChange = files[purpose];
      if (fileChange === undefined) continue;
      try {
        input[`${purpose}FileId`] =
          fileChange === null ? null : (await uploadProfileFile(purpose, fileChange)).id;
      } catch (failure) {
        setFileErrors({ [purpose]: errorText(failure) });
        return null;
      }
    }
    return input;
  };

  const send = async () => {
    setFileErrors({});
    try {
      const saved = await storedFiles();
      if (!saved) return;
      const input = { ...changesOfProfile(edit.base.form, edit.values), ...saved };
      if (Object.keys(input).length > 0) {
        await save.mutateAsync({ ...(await withHomeCountry(input)), version: edit.base.version });
        showToast(t`Profile saved`);
      }
      onDone();
    } catch (failure) {
      if (isApiError(failure, 'profile/stale')) {
        const newest = (await profileQuery.refetch()).data;
        if (newest) return edit.meet(baseOf(newest));
      }
      const fieldTexts = fieldIssues(failure).map(({ field, message }) => [field.split('.')[0], message]);
      edit.refuse({
        fields: Object.fromEntries(fieldTexts),
        text: isNetworkError(failure)
          ? t`${errorText(failure)} What you typed is still here.`
          : errorText(failure),
      });
    }
  };

  const shownFile = (purpose: 'photo' | 'cv') => ({
    chosen: files[purpose] ?? null,
    stored: files[purpose] === undefined ? profile[purpose] : null,
    error: fileErrors[purpose],
    id: fileId(purpose),
    onChoose: (file: File | null) => {
      setFiles((before) => ({ ...before, [purpose]: file }));
      setFileErrors({});
    },
  });
  const errors = [
    ...summaryOf(profileFields, edit.problems, edit.idOf),
    ...(fileErrors.photo ? [{ id: fileId('photo'), text: `${t`Photo`}: ${fileErrors.photo}` }] : []),
    ...(fileErrors.cv ? [{ id: fileId('cv'), text: `${t`CV`}: ${fileErrors.cv}` }] : []),
  ];
  return { edit, send, shownFile, errors };
}

type EditProfileProps = { profile: Profile; start?: EditStart; onDone: () => void };

/** Edits the reader's own profile. If another device saved it too, its values are shown and no input is lost. */
export function EditProfile(props: EditProfileProps) {
  const { t } = useLingui();
  const { edit, send, shownFile, errors } = useProfileEdit(props);
  const { start = 'top' } = props;
  useEffect(() => {
    document.getElementById(`edit-${start}`)?.scrollIntoView?.();
  }, [start]);
  return (
    <Screen
      title={t`Edit profile`}
      back="/tabs/menu/account"
      dock={
        <>
          <Button kind="out" className="grow" onClick={props.onDone}>
            {t`Cancel`}
          </Button>
          <Button kind="go" className="grow" busy={edit.busy} onClick={() => void edit.submit(send)}>
            {t`Save profile`}
          </Button>
        </>
      }
    >
      <Form className="profile-form" onSubmit={() => void edit.submit(send)}>
        <ErrorSummary key={edit.tries} errors={errors} />
        {edit.refusal && Object.keys(edit.problems).length === 0 ? (
          <Banner tone="bad" icon="warning-circle" live>
            {edit.refusal}
          </Banner>
        ) : null}
        <ConflictBanner edit={edit} />
        <PhotoField name={edit.values.name} {...shownFile('photo')} />
        <ProfileFields form={edit.values} errors={edit.problems} idOf={edit.idOf} onChange={edit.change} />
        <div id="edit-cv">
          <ProfileCvField {...shownFile('cv')} />
        </div>
        <div id="edit-skills">
          <SkillPicker value={edit.values.skills} onChange={(skills) => edit.change({ skills })} />
        </div>
        <div id="edit-findable">
          <FindableField edit={edit} />
        </div>
        <EnterSubmits />
      </Form>
    </Screen>
  );
}

type ProfileEditProps = { edit: ReturnType<typeof useProfileEdit>['edit'] };

function ConflictBanner({ edit }: ProfileEditProps) {
  const { t } = useLingui();
  if (!edit.conflict) return null;
  return (
    <Banner tone="wait" icon="warning" live>
      <p className="strong">{t`Your profile was changed somewhere else while you were typing.`}</p>
      <p>{t`Changed elsewhere: ${words([...edit.conflict.theirs, ...edit.conflict.both])}. Nothing you typed is lost.`}</p>
      <div className="row wrap g2 mt3">
        <Button kind="ink" size="s" onClick={edit.saveTyped}>
          {t`Keep what I typed`}
        </Button>
        <Button kind="out" size="s" onClick={edit.takeNewest}>
          {t`Load the saved version`}
        </Button>
      </div>
    </Banner>
  );
}

function FindableField({ edit }: ProfileEditProps) {
  const { t } = useLingui();
  return (
    <RadioGroup
      legend={profileFieldText('findable')}
      help={
        edit.values.findable !== 'off' && edit.values.home === null
          ? t`Add a home area, or nobody can find you.`
          : t`Businesses that find you see your skills, languages, usual free times, rating, reliability and rough distance. They can invite you to a job. Your address, phone number and calendar stay private.`
      }
      options={findableChoices.map((value) => ({
        value,
        label: findableText(value),
        help: value === 'unnamed' ? t`They see your name once you apply or write to them.` : undefined,
      }))}
      value={edit.values.findable}
      onChange={(findable) => edit.change({ findable })}
    />
  );
}

const shortYears = (years: number): string =>
  years === 0 ? say`under 1 year` : say`${plural(years, { one: '# y', other: '# y' })}`;

type ViewProps = { profile: Profile; onEdit: (start: EditStart) => void };

export function ProfileView({ profile, onEdit }: ViewProps) {
  const { t } = useLingui();
  const week = profileFreeTimes(profile.availability);
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
        {profile.bio === '' ? (
          <p className="mute">{t`Introduce yourself. Businesses read this first.`}</p>
        ) : (
          profile.bio.split(/\n+/).map((line) => (
            <p key={line} dir="auto">
              {line}
            </p>
          ))
        )}
      </div>
      <SkillsPart profile={profile} onEdit={onEdit} />
      <Part title={t`Usually free`}>
        {week.length === 0 ? (
          <NotSet />
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
        {profile.weekHoursMax === null ? null : (
          <p className="mt2">{t`At most ${formatMinutes(profile.weekHoursMax * 60)} a week`}</p>
        )}
      </Part>
      <Part title={t`Languages`}>
        {profile.languages.length === 0 ? (
          <NotSet />
        ) : (
          profile.languages.map((language) => (
            <p key={language.code}>
              <span className="mid">{languageName(language.code)}</span>{' '}
              <span className="mute">{languageLevelText(language.level)}</span>
            </p>
          ))
        )}
      </Part>
      <Part title={profileFieldText('findable')}>
        <p>{findableText(profile.findable)}</p>
        {profile.findable === 'off' ? (
          <p>
            <Button kind="out" size="s" needsNetwork onClick={() => onEdit('findable')}>
              {t`Get invited to jobs`}
            </Button>
          </p>
        ) : null}
      </Part>
      <PrivatePart profile={profile} onEdit={onEdit} />
    </div>
  );
}

function NotSet() {
  const { t } = useLingui();
  return <p className="mute">{t`Not set yet.`}</p>;
}

function SkillsPart({ profile, onEdit }: ViewProps) {
  const { t } = useLingui();
  return (
    <Part title={t`Skills`}>
      {profile.skills.length === 0 ? (
        <>
          <p className="mute">{t`No skills yet. Add some to see matching work.`}</p>
          <p>
            <Button kind="out" size="s" icon="plus" needsNetwork onClick={() => onEdit('skills')}>
              {t`Add skills`}
            </Button>
          </p>
        </>
      ) : (
        <Card flush>
          {profile.skills.map((skill) => (
            <div key={skill.skill} className="li">
              <span className="grow t">{skillText(skill.skill)}</span>
              {skill.level ? <Badge>{skillLevelText(skill.level)}</Badge> : null}
              {skill.years === null ? null : <span className="sm mute num">{shortYears(skill.years)}</span>}
            </div>
          ))}
        </Card>
      )}
    </Part>
  );
}

function PrivatePart({ profile, onEdit }: ViewProps) {
  const { t } = useLingui();
  const phoneText = usePhoneText();
  return (
    <Part
      title={t`Only visible to you`}
      note={t`No one sees your phone number or exact home location before you're hired.`}
    >
      <Fact icon="phone" title={profile.phone ? phoneText(profile.phone) : t`No phone yet`} />
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
            <Button kind="out" size="s" icon="plus" onClick={() => onEdit('cv')}>
              {t`Add a CV`}
            </Button>
          }
        />
      )}
    </Part>
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
