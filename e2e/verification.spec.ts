import { judge } from './axe.ts';
import {
  doorPosition,
  exactText,
  type Person,
  signedInPerson,
  visibleButton,
  visibleText,
} from './hiring.ts';
import { expect, test } from './moved-time.ts';
import { appoint, turnOnSecondStep } from './operators.ts';
import { dataDirOf, portOfOwnServer } from './server-address.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const newNumber = () => `+316${Math.floor(10_000_000 + Math.random() * 89_999_999)}`;

test('phone number: a code from the text message checks it, and the badge says so', async ({ parts }) => {
  const { page } = await signedInPerson(parts, 'Leila Haddad', 'work');
  const number = newNumber();
  const printed = new RegExp(`\\+31\\s6\\s${number.slice(4)}`);
  await page.goto('/verify');
  await expect(page.getByRole('heading', { name: 'Verification', level: 1 })).toBeVisible();
  await expect(visibleText(page, 'Email verified')).toBeVisible();
  await judge(page, '/verify');
  await visibleButton(page, 'Check your number').click();
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('Mobile number').fill('12345678');
  await sheet.getByRole('button', { name: 'Text me a code' }).click();
  await expect(
    sheet.getByText('Check the number, or enter it with its country code', { exact: false }),
  ).toBeVisible();
  await sheet.getByLabel('Mobile number').fill(`${number.slice(0, 3)} ${number.slice(3)}`);
  await sheet.getByRole('button', { name: 'Text me a code' }).click();
  await expect(sheet.getByText('We texted a code to').filter({ hasText: printed })).toBeVisible();

  let code = '';
  await expect(async () => {
    const list = await (await page.request.get(`/dev/mailbox?to=${encodeURIComponent(number)}`)).text();
    code = /(?<![#\d])\d{6}(?!\d)/.exec(list)?.[0] ?? '';
    expect(code).toMatch(/^\d{6}$/);
  }).toPass();
  await sheet.getByLabel('Code').fill(code === '111111' ? '222222' : '111111');
  await sheet.getByRole('button', { name: 'Check number' }).click();
  await expect(sheet.getByText("That's not the code. You have 4 tries left.")).toBeVisible();
  await judge(page, 'the code');
  await sheet.getByLabel('Code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await sheet.getByRole('button', { name: 'Check number' }).click();
  await expect(
    page.getByRole('region', { name: 'Phone', exact: true }).getByText('Phone number checked'),
  ).toBeVisible();
  await expect(page.getByText(printed)).toBeVisible();

  await page.goto('/account-settings');
  await expect(page.getByLabel('Phone')).toHaveValue(number.replace('+316', '+31 6 '));
  await expect(visibleText(page, 'Phone number checked')).toBeVisible();
});

const business = {
  name: 'Café Zilverlinde',
  legalName: 'Zilverlinde Horeca B.V.',
  registrationNumber: '',
  category: 'hospitality',
  description: 'Coffee and lunch.',
  email: null,
  phone: null,
  website: 'https://zilverlinde.invalid',
  logoFileId: null,
  address: 'Westerstraat 112',
  area: 'Jordaan',
  countryCode: 'NL',
  lat: doorPosition.latitude,
  lng: doorPosition.longitude,
  privateAddress: false,
};

async function operator(parts: Parameters<typeof signedInPerson>[0]): Promise<Person> {
  const jonas = await signedInPerson(parts, 'Jonas Weber', 'hire');
  await appoint(dataDirOf(portOfOwnServer(test.info().parallelIndex)), jonas.email);
  await jonas.page.goto('/account-settings');
  await turnOnSecondStep(jonas.page);
  return jonas;
}

async function decide(staff: Person, businessId: string, decision: string, reason: string): Promise<void> {
  const subject = `business_verification/${businessId}`;
  await staff.api('POST', `/operators/cases/${subject}/claim`, {});
  const { version } = await staff.api('GET', `/operators/businesses/${businessId}/verification`);
  await staff.api('POST', `/operators/businesses/${businessId}/verification/decide`, {
    version,
    decision,
    reason,
  });
}

test('business: documents and a domain, more on request, and then it is verified', async ({ parts }) => {
  const nadia = await signedInPerson(parts, 'Nadia Brandt', 'hire');
  const staff = await operator(parts);
  const { page } = nadia;
  const { id: businessId } = await nadia.api('POST', '/businesses', business);

  await page.goto('/verify');
  await page
    .getByRole('region', { name: 'Your businesses' })
    .getByRole('link', { name: /Zilverlinde/ })
    .click();
  const status = page.getByRole('region', { name: 'Status' });
  await expect(status.getByText('Not verified', { exact: true })).toBeVisible();
  await judge(page, 'the verification of a business');
  await status.getByRole('button', { name: 'Request verification' }).click();
  await expect(status.getByText('Being verified')).toBeVisible();

  await decide(staff, businessId, 'request-info', 'Please add an extract of the company register.');
  await expect(status.getByText('Please add an extract of the company register.')).toBeVisible();
  await page.getByLabel('Kind of document').selectOption('Company registration');
  await page.getByTestId('business-document').setInputFiles({
    name: 'register.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n'),
  });
  // In other languages the button that removes it begins with its name, too.
  const uploaded = page.getByRole('button', { name: 'Company registration' });
  await expect(uploaded.filter({ hasText: 'register.pdf' })).toBeVisible();
  const website = page.getByRole('region', { name: 'Website' });
  await website.getByRole('button', { name: 'Show me what to add' }).click();
  await expect(website.getByText(/^nearhand-verification=/)).toBeVisible();
  await website.getByRole('button', { name: 'Check now' }).click();
  await expect(website.getByText("didn't answer", { exact: false })).toBeVisible({ timeout: 30_000 });
  await judge(page, 'the verification of a business, with more asked');
  await status.getByRole('button', { name: 'Send again' }).click();
  await expect(status.getByText('Being verified')).toBeVisible();

  await decide(staff, businessId, 'verify', '');
  await expect(status.getByText('Verified', { exact: true })).toBeVisible();
  await page.goto('/edit-business');
  await expect(exactText(page, 'Verified')).toBeVisible();
});
