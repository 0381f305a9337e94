import { judge } from './axe.ts';
import { openShift, type Person, signedInPerson, visibleButton, visibleText } from './hiring.ts';
import { expect, test } from './moved-time.ts';
import { confirmPassword, mailedLink, newEmail, password } from './people.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const team = async ({ page }: Person) => {
  await page.goto('/edit-business?part=team');
  await expect(page.getByRole('heading', { name: 'People' })).toBeVisible();
};
const sheet = (who: Person) => who.page.getByRole('dialog');
const row = (who: Person, text: string) => who.page.getByRole('button').filter({ hasText: text }).last();
const pathOf = (link: string) => new URL(link).pathname;

async function invite(owner: Person, email: string, role: string): Promise<string> {
  await visibleButton(owner.page, 'Invite someone').click();
  await sheet(owner).getByLabel('Email').fill(email);
  await sheet(owner).getByRole('radio', { name: role }).check();
  await sheet(owner).getByRole('button', { name: 'Send invitation' }).click();
  await confirmPassword(owner.page);
  await expect(visibleText(owner.page, `Invitation sent to ${email}`)).toBeVisible();
  return pathOf(await mailedLink(owner.page.request, email, /\/join-team\//));
}

test('team invitation: a newcomer signs up by the mail and joins, and a change of role shows at once', async ({
  parts,
}) => {
  const { nadia, leila } = await openShift(parts, { title: 'Weekend barista', moneyMinor: 0 });
  await team(nadia);
  await visibleButton(nadia.page, 'Invite someone').click();
  await judge(nadia.page, 'invite');
  await nadia.page.keyboard.press('Escape');
  const email = newEmail('omar');
  const path = await invite(nadia, email, 'Recruiter');

  // Another reader of the forwarded mail can't join.
  await leila.page.goto(path);
  await expect(visibleText(leila.page, 'Join Kopi and Crumb')).toBeVisible();
  await expect(visibleText(leila.page, new RegExp(`This invitation was sent to ${email}`))).toBeVisible();
  await expect(visibleButton(leila.page, 'Join Kopi and Crumb')).toBeHidden();

  const context = await parts.browser.newContext();
  await parts.time.follow(context);
  const page = await context.newPage();
  await page.goto(path);
  await expect(page.getByText(/Nadia Rahmani invites you as: Recruiter/)).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Create account' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(new RegExp(path));
  // The invitation came by mail, so no other mail has to prove the address.
  await page.getByLabel('Your name').filter({ visible: true }).fill('Omar Idrissi');
  await page.getByRole('button', { name: 'Join Kopi and Crumb' }).click();
  await expect(page.getByText('You joined Kopi and Crumb')).toBeVisible();
  await expect(page).toHaveURL(/\/all-job-applicants/);

  await expect(row(nadia, 'Omar Idrissi')).toBeVisible();
  await expect(visibleText(nadia.page, 'Omar Idrissi joined (Recruiter)')).toBeVisible();
  await judge(nadia.page, 'team');

  await page.goto('/edit-business?part=team');
  await expect(page.getByText('Only an owner or manager can change the team.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Invite someone' })).toBeHidden();

  await row(nadia, 'Omar Idrissi').click();
  await sheet(nadia).getByRole('radio', { name: 'Manager' }).check();
  await sheet(nadia).getByRole('button', { name: 'Change role' }).click();
  await expect(page.getByRole('button', { name: 'Invite someone' })).toBeVisible();

  await row(nadia, 'Omar Idrissi').click();
  await sheet(nadia).getByRole('button', { name: 'Remove from the team' }).click();
  await nadia.page.getByRole('button', { name: 'Remove Omar Idrissi' }).click();
  await expect(visibleText(nadia.page, 'Omar Idrissi was removed')).toBeVisible();
  await expect(page.getByText("You're no longer on the team of Kopi and Crumb")).toBeVisible();
  await context.close();
});

test('an invitation opened with another account is asked for, sent there and accepted, and a link is shared', async ({
  parts,
}) => {
  const { nadia, leila } = await openShift(parts, { title: 'Weekend barista', moneyMinor: 0 });
  const kwame = await signedInPerson(parts, 'Kwame Mensah', 'work');
  await team(nadia);
  const path = await invite(nadia, newEmail('leila.work'), 'Finance');
  await leila.page.goto(path);
  await visibleButton(leila.page, `Ask for an invitation to ${leila.email}`).click();
  await expect(visibleText(leila.page, /We asked Kopi and Crumb to send the invitation/)).toBeVisible();
  await row(nadia, 'Leila Haddad asks to join instead').click();
  await sheet(nadia)
    .getByRole('button', { name: `Send to ${leila.email}` })
    .click();
  await leila.page.goto(path);
  await expect(visibleText(leila.page, "This link doesn't work")).toBeVisible();
  await leila.page.goto(pathOf(await mailedLink(leila.page.request, leila.email, /\/join-team\//)));
  await judge(leila.page, 'accept');
  await visibleButton(leila.page, 'Join Kopi and Crumb').click();
  await expect(leila.page).toHaveURL(/\/merchant-transaction/);

  await team(nadia);
  await visibleButton(nadia.page, 'Invite someone').click();
  await sheet(nadia).getByRole('radio', { name: 'By link' }).click();
  await sheet(nadia).getByRole('radio', { name: 'Manager' }).check();
  await sheet(nadia).getByRole('button', { name: 'Create link' }).click();
  const url = await sheet(nadia)
    .getByText(/\/join-team\//)
    .textContent();
  await nadia.page.keyboard.press('Escape');
  await kwame.page.goto(pathOf(url ?? ''));
  await visibleButton(kwame.page, 'Join Kopi and Crumb').click();
  await expect(kwame.page).toHaveURL(/\/tabs\/menu\/business/);

  await row(nadia, 'Kwame Mensah').click();
  await sheet(nadia).getByRole('button', { name: 'Hand over the business' }).click();
  await sheet(nadia).getByRole('button', { name: 'Offer to Kwame Mensah' }).click();
  await expect(visibleText(nadia.page, /You offered Kopi and Crumb to Kwame Mensah/)).toBeVisible();
  await team(kwame);
  await visibleButton(kwame.page, 'Take over the business').click();
  await sheet(kwame).getByRole('button', { name: 'Take over the business' }).click();
  await confirmPassword(kwame.page);
  await expect(visibleText(kwame.page, 'You now own Kopi and Crumb')).toBeVisible();
  await expect(visibleText(kwame.page, 'Kwame Mensah took over the business')).toBeVisible();
  await expect(visibleButton(nadia.page, 'Withdraw offer')).toBeHidden();

  await kwame.page.getByRole('radio', { name: 'Roles' }).click();
  await expect(kwame.page.getByRole('table', { name: 'What each role can do' })).toBeVisible();
  await judge(kwame.page, 'roles');
});
