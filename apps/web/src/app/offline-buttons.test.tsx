import type { OpenedInvitation } from '@nearhand/contract/people/team';
import { screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { setOnline } from '../../test/device.ts';
import type { Handlers } from '../../test/fake-api.ts';
import { sampleProfile } from '../../test/people.fixtures.ts';
import { renderPart } from '../../test/render-part.tsx';
import { StatementFiles } from '../money/downloads/statement-files.tsx';
import { ProfileView } from '../people/profiles/my-profile.tsx';
import { SignInSecurity } from '../people/sign-in/sign-in-security.tsx';
import JoinTeamScreen from '../people/team/join-team.screen.tsx';
import { SettingsQuiet } from '../talk/notification-settings/notification-settings.screen.tsx';
import { sampleSettings } from '../talk/notification-settings/settings.fixtures.ts';
import { WorkFile } from '../work/timesheets/deliveries.tsx';

const token = 't'.repeat(43);
const file = {
  id: '0193aaaa-0000-7000-8000-0000000000f1',
  path: '/files/plan.pdf',
  name: 'plan.pdf',
  mediaType: 'application/pdf',
  bytes: 2_000,
};
const opened: OpenedInvitation = {
  businessId: '0193aaaa-0000-7000-8000-0000000000b1',
  businessName: 'Kopi & Crumb',
  area: 'Jordaan',
  logoPath: null,
  verified: true,
  role: 'recruiter',
  branches: null,
  status: 'open',
  invitedBy: 'Nadia Rahmani',
  email: 's•••@example.org',
  expiresAt: '2026-12-01T10:00:00Z',
  reader: 'other-address',
  asked: false,
};
const secondStep = (on: boolean): Handlers => ({ 'signIn.secondStep': { on, hasPassword: true } });
const quiet = { ...sampleSettings().quiet, on: true, timeZone: 'Pacific/Auckland' };

/** Components with their buttons, and whether each button needs the network (ADR 341). */
const parts: [ReactNode, Record<string, boolean>, Handlers?][] = [
  [<SignInSecurity key="off" />, { 'Turn on the second step': true }, secondStep(false)],
  [
    <SignInSecurity key="on" />,
    { 'Make new recovery codes': true, 'Turn off the second step': true },
    secondStep(true),
  ],
  [
    <StatementFiles
      key="files"
      ask={async () => ({ path: '/files/statement', fileName: 'statement.csv' })}
    />,
    { CSV: true, PDF: true },
  ],
  [<WorkFile key="work" file={{ ...file, purpose: 'work' }} />, { 'Save plan.pdf': true }],
  [
    <ProfileView key="cv" profile={sampleProfile({ cv: { ...file, purpose: 'cv' } })} onEdit={() => {}} />,
    { Open: true },
  ],
  [<SettingsQuiet key="quiet" quiet={quiet} onChoose={() => {}} />, { 'Use it': true }],
  [
    <Routes key="team">
      <Route path="*" element={<JoinTeamScreen />} />
      <Route path="/join-team/:token" element={<JoinTeamScreen />} />
    </Routes>,
    { 'Ask for an invitation to leila@example.org': true, 'Sign out and use the other account': false },
    { 'team.opened': opened, 'businesses.mine': [] },
  ],
];

it.each(
  parts.map(([part, needs, answers]) => ({ part, needs, answers, names: Object.keys(needs).join(', ') })),
)('without a network it is known of: $names', async ({ part, needs, answers }) => {
  const { api } = renderPart(part, { path: `/join-team/${token}`, session: 'worker', api: answers ?? {} });
  for (const name of Object.keys(needs)) await screen.findByRole('button', { name });
  setOnline(api, false);
  for (const [name, needed] of Object.entries(needs)) {
    const button = screen.getByRole('button', { name });
    expect([name, within(button).queryByText('Needs a connection') !== null]).toEqual([name, needed]);
  }
});
