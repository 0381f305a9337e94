import { transferReference } from '@nearhand/contract/money/bank-transfers.rules';
import { moneyLimits } from '@nearhand/contract/money/limits';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeOperator } from '../../trust/operators/operators.fixtures.ts';
import { balanceOf } from '../ledger/ledger.ts';
import { compareBooks } from '../provider/books.fixtures.ts';

const app = useTestApp();
const iban = 'BE71096123456769';
let jonas: Person;
let owner: Person;
let businessId: string;
let reference: string;

beforeAll(async () => {
  const person = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, person, ['finance']);
  jonas = app.working(person);
});
beforeEach(async () => {
  owner = await app.person({ name: 'Nadia Rahmani' });
  businessId = (await makeBusiness(app.db, app.scopeOf(owner), { funded: false })).id;
  reference = (await owner.api.bankTransfers.get({ businessId })).reference ?? '';
});

let lastRef = 0;
const nextRef = () => {
  lastRef += 1;
  return `BANK-${lastRef}`;
};
type Entry = Partial<
  Record<
    'ref' | 'amount' | 'currency' | 'side' | 'status' | 'words' | 'payer' | 'account' | 'details',
    string
  >
>;
const entry = (options: Entry = {}) => {
  const { ref = nextRef(), amount = '250.05', currency = 'EUR', side = 'CRDT' } = options;
  const { status = 'BOOK', words = reference, payer = 'Lindengracht Horeca B.V.' } = options;
  const { account = 'NL91ABNA0417164300' } = options;
  const details = `<TxDtls><RltdPties><Dbtr><Pty><Nm>${payer}</Nm></Pty></Dbtr>
      <DbtrAcct><Id><IBAN>${account}</IBAN></Id></DbtrAcct></RltdPties>
      <RmtInf><Ustrd>${words}</Ustrd></RmtInf></TxDtls>`;
  return `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts><Cd>${status}</Cd></Sts>
    <BookgDt><Dt>2026-11-20</Dt></BookgDt>${ref && `<AcctSvcrRef>${ref}</AcctSvcrRef>`}
    <NtryDtls>${options.details ?? details}</NtryDtls></Ntry>`;
};
const statementOf = (entries: string[], account = iban) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
    <Stmt><Id>1</Id><Acct><Id><IBAN>${account}</IBAN></Id></Acct>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;
const load = (...entries: string[]) => loadFile(statementOf(entries));
const loadFile = (content: string | Uint8Array<ArrayBuffer>) =>
  jonas.api.bankTransfers.importStatement({ file: new File([content], 'statement.xml') });
const balance = (kind: 'business_balance' | 'bank_unmatched' | 'provider_bank') =>
  balanceOf(app.db, kind === 'business_balance' ? { kind, ownerId: businessId } : { kind }, 'EUR');
const none = { credited: 0, unmatched: 0, outgoing: 0, repeated: 0, skipped: 0 };
const openCases = async () =>
  (await jonas.api.cases.list({ limit: 100 })).items.filter(({ kind }) => kind === 'bank_payment');

describe('bankTransfers.get', () => {
  it('shows the account, a reference of this business only, and its QR code to its members who manage money', async () => {
    const view = await owner.api.bankTransfers.get({ businessId });
    expect(view).toMatchObject({ problem: null, account: { iban }, test: true, payments: [] });
    expect(reference).toMatch(/^RF\d{2}NH\d{8}$/);
    expect(view.code?.split('\n')).toEqual([
      'BCD',
      '002',
      '1',
      'SCT',
      'GKCCBEBB',
      'Nearhand client money',
      iban,
      '',
      '',
      reference,
    ]);
    const secondBusiness = await makeBusiness(app.db, app.scopeOf(owner), { funded: false });
    expect((await owner.api.bankTransfers.get({ businessId: secondBusiness.id })).reference).not.toBe(
      reference,
    );
    const recruiter = await app.person();
    await makeMember(app.db, app.clock, businessId, recruiter.accountId, 'recruiter');
    expect(await failure(recruiter.api.bankTransfers.get({ businessId }))).toMatchObject({ status: 403 });
  });

  it('names what is missing: an account, a verified business, the currency', async () => {
    const problemOf = async (id: string) => (await owner.api.bankTransfers.get({ businessId: id })).problem;
    const unverified = await makeBusiness(app.db, app.scopeOf(owner), { verified: false, funded: false });
    expect(await problemOf(unverified.id)).toBe('not_verified');
    const place = { countryCode: 'US', lat: 40.71, lng: -74, funded: false };
    expect(await problemOf((await makeBusiness(app.db, app.scopeOf(owner), place)).id)).toBe(
      'other_currency',
    );
    const account = app.config.TRANSFER_ACCOUNT;
    Object.assign(app.config, { TRANSFER_ACCOUNT: undefined });
    try {
      expect(await owner.api.bankTransfers.get({ businessId })).toMatchObject({
        problem: 'off',
        account: null,
      });
      expect(await failure(load(entry()))).toMatchObject({ code: 'transfer/off' });
      expect(await failure(owner.api.bankTransfers.makeTest({ businessId, amountMinor: 100 }))).toMatchObject(
        {
          code: 'transfer/off',
        },
      );
    } finally {
      Object.assign(app.config, { TRANSFER_ACCOUNT: account });
    }
  });
});

describe('bankTransfers.importStatement', () => {
  it('credits each entry once, on the statement and with a notice, also when a file comes twice', async () => {
    const received = await balance('provider_bank');
    const file = [
      entry({ words: `Invoice 7, ${reference.replace(/(.{4})/g, '$1 ')}thanks` }),
      entry({ amount: '1.5', words: reference.toLowerCase() }),
    ];
    expect(await load(...file)).toEqual({ ...none, credited: 2 });
    expect(await load(...file)).toEqual({ ...none, repeated: 2 });
    expect(await balance('business_balance')).toBe(25_155);
    expect(received - (await balance('provider_bank'))).toBe(25_155);
    const { items } = await owner.api.statements.forBusiness({ businessId });
    expect(items).toMatchObject([
      { kind: 'top_up', amountMinor: 150, balanceMinor: 25_155 },
      { kind: 'top_up', amountMinor: 25_005, about: 'Lindengracht Horeca B.V. ••••\u00a04300' },
    ]);
    const { parts } = await owner.api.statements.businessLine({
      businessId,
      entryId: items[0]?.id ?? '',
    });
    expect(parts).toEqual([
      { kind: 'balance', amountMinor: 150 },
      { kind: 'bank', amountMinor: -150 },
    ]);
    const notices = (await owner.api.notifications.list({})).items.filter(
      ({ topic }) => topic === 'transfer-received',
    );
    expect(notices).toHaveLength(2);
    const { payments } = await owner.api.bankTransfers.get({ businessId });
    expect(payments.map(({ amountMinor, bookedOn }) => [amountMinor, bookedOn])).toEqual([
      [150, '2026-11-20'],
      [25_005, '2026-11-20'],
    ]);
    expect(await compareBooks(app.db, app.scopeOf(owner))).toEqual([]);
  });

  it('books files that are imported at the same time once', async () => {
    const file = [entry(), entry(), entry()];
    const booked = await Promise.all([load(...file), load(...file), load(...file)]);
    expect(booked.map(({ credited }) => credited).sort()).toEqual([0, 0, 3]);
    expect(await balance('business_balance')).toBe(3 * 25_005);
  });

  it('books the parts of a batch, and skips what has no money or is not booked yet', async () => {
    const part = (amount: string, words: string) =>
      `<TxDtls><Amt Ccy="EUR">${amount}</Amt><RmtInf><Strd><CdtrRefInf><Ref>${words}</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>`;
    const batch = entry({ amount: '30.00', details: part('10.00', reference) + part('20.00', 'no idea') });
    expect(await load(batch, entry({ amount: '0.00' }), entry({ status: 'PDNG' }))).toEqual({
      ...none,
      credited: 1,
      unmatched: 1,
      skipped: 2,
    });
    expect(await load(batch)).toEqual({ ...none, repeated: 2 });
    expect(await balance('business_balance')).toBe(1_000);
  });

  it('books each part of a batch whose parts repeat a reference, with the same amount too', async () => {
    const part = `<TxDtls><Refs><AcctSvcrRef>BATCH 7</AcctSvcrRef></Refs><Amt Ccy="EUR">10.00</Amt>
      <RmtInf><Ustrd>${reference}</Ustrd></RmtInf></TxDtls>`;
    const batch = entry({ amount: '20.00', details: part + part });
    expect(await load(batch)).toEqual({ ...none, credited: 2 });
    expect(await load(batch)).toEqual({ ...none, repeated: 2 });
    expect(await balance('business_balance')).toBe(2_000);
  });

  it('books parts by their references of the bank if each has one, and a payment by its only one', async () => {
    const part = (ref: string) => `<TxDtls><Refs><AcctSvcrRef>${ref}</AcctSvcrRef></Refs>
      <Amt Ccy="EUR">10.00</Amt><RmtInf><Ustrd>${reference}</Ustrd></RmtInf></TxDtls>`;
    const [first, second] = [part(nextRef()), part(nextRef())];
    expect(await load(entry({ amount: '20.00', details: first + second }))).toEqual({ ...none, credited: 2 });
    expect(await load(entry({ amount: '20.00', details: second + first }))).toEqual({ ...none, repeated: 2 });
    const payment = entry({ ref: '', amount: '10.00', details: part(nextRef()) });
    expect(await load(payment)).toEqual({ ...none, credited: 1 });
    expect(await load(payment)).toEqual({ ...none, repeated: 1 });
  });

  it('leaves payments without one valid reference of a verified business to operators', async () => {
    const before = await balance('bank_unmatched');
    const secondBusiness = await makeBusiness(app.db, app.scopeOf(owner), { funded: false });
    const { reference: second } = await owner.api.bankTransfers.get({ businessId: secondBusiness.id });
    const digit = reference[3] === '0' ? '1' : '0';
    const closed = await makeBusiness(app.db, app.scopeOf(owner), { funded: false });
    const { reference: ofClosed } = await owner.api.bankTransfers.get({ businessId: closed.id });
    await app.db.updateTable('businesses').set({ status: 'closed' }).where('id', '=', closed.id).execute();
    const words = [
      ['For the café', 'no_reference'],
      [`${reference.slice(0, 3)}${digit}${reference.slice(4)}`, 'wrong_check_digits'],
      [`${reference} ${second}`, 'several_references'],
      [transferReference(99_999_999), 'unknown_reference'],
      [ofClosed ?? '', 'closed'],
    ] as const;
    const earlierCases = new Set((await openCases()).map(({ subjectId }) => subjectId));
    expect(await load(...words.map(([text]) => entry({ words: text, amount: '10.00' })))).toEqual({
      ...none,
      unmatched: words.length,
    });
    const cases = (await openCases()).filter(({ subjectId }) => !earlierCases.has(subjectId));
    expect(cases.map(({ tag }) => tag).sort()).toEqual(words.map(([, reason]) => reason).sort());
    expect((await balance('bank_unmatched')) - before).toBe(5_000);
    expect(await balance('business_balance')).toBe(0);
  });

  it('books nothing for money that was taken from the account', async () => {
    const received = await balance('provider_bank');
    expect(await load(entry({ side: 'DBIT' }))).toEqual({ ...none, outgoing: 1 });
    expect(await balance('provider_bank')).toBe(received);
    expect(await balance('business_balance')).toBe(0);
  });

  it('refuses a file at its field and books nothing of it', async () => {
    const entities = `<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]>`;
    const files = [
      ['', 'read as XML'],
      [Buffer.from(statementOf([entry({ payer: 'Café' })]), 'latin1'), 'UTF-8'],
      ['no XML', 'text outside'],
      [statementOf([entry()]).replace('<Document', `${entities}<Document`), 'document types'],
      [statementOf([entry({ words: '&xxe;' })]), 'no entity'],
      [statementOf([entry()]).slice(0, -20), 'not closed'],
      [`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`, 'too deep'],
      ['<Document><BkToCstmrAcctRpt/></Document>', 'no CAMT.053'],
      [statementOf([entry()], 'NL91ABNA0417164300'), 'another account'],
      [statementOf([entry({ currency: 'USD' })]), 'another currency'],
      [statementOf([entry({ amount: '10.005' })]), 'no amount in cents'],
      [statementOf([entry({ amount: '-10.00' })]), 'no amount in cents'],
      [statementOf([entry({ amount: '1e5' })]), 'no amount in cents'],
      [statementOf([entry({ side: 'XXXX' })]), 'neither credit nor debit'],
      [statementOf([entry({ ref: '' })]), 'no reference of the bank'],
      [statementOf([entry({ ref: 'TWICE' }), entry({ ref: 'TWICE' })]), 'TWICE is in the file twice'],
    ] as const;
    for (const [content, message] of files) {
      const { code, data } = await failure(loadFile(content));
      expect([content, code]).toEqual([content, 'request/invalid']);
      expect(JSON.stringify(data)).toContain('file');
      expect(JSON.stringify(data)).toContain(message);
    }
    const large = new Uint8Array(moneyLimits.bankStatementBytes + 1);
    expect(await failure(loadFile(large))).toMatchObject({
      code: 'file/too-large',
      data: { maxBytes: moneyLimits.bankStatementBytes },
    });
    // A month of a busy account is longer than a body of JSON may be.
    await loadFile(statementOf([`<!--${'x'.repeat(300_000)}-->`, entry({ ref: 'SAME' })]));
    expect(await failure(load(entry(), entry({ ref: 'SAME', amount: '9.00' })))).toMatchObject({
      code: 'request/invalid',
    });
    expect(await balance('business_balance')).toBe(25_005);
  });
});

describe('bankTransfers.makeTest', () => {
  it('credits a test transfer to its business', async () => {
    expect(await owner.api.bankTransfers.makeTest({ businessId, amountMinor: 12_345 })).toEqual({
      state: 'credited',
    });
    expect(await balance('business_balance')).toBe(12_345);
    const lost = { businessId, amountMinor: 100, withoutReference: true };
    expect(await owner.api.bankTransfers.makeTest(lost)).toEqual({ state: 'unmatched' });
    expect(await failure(jonas.api.bankTransfers.makeTest({ businessId, amountMinor: 100 }))).toMatchObject({
      code: 'business/not-found',
    });
  });
});

async function unmatched(amount: string, options: Entry = {}) {
  const earlierCases = new Set((await openCases()).map(({ subjectId }) => subjectId));
  await load(entry({ amount, words: 'nothing', ...options }));
  const item = (await openCases()).find(({ subjectId }) => !earlierCases.has(subjectId));
  return item?.subjectId ?? '';
}

describe('bankTransfers.assign', () => {
  it('adds a payment to the balance of a verified business once, for the operator of its case', async () => {
    const bankPaymentId = await unmatched('77.10', { payer: 'lindengracht-horeca B.V.' });
    const assign = () => jonas.api.bankTransfers.assign({ bankPaymentId, businessId });
    const ref = { kind: 'bank_payment' as const, subjectId: bankPaymentId };
    await jonas.api.cases.claim(ref);
    const { facts } = await jonas.api.cases.get(ref);
    const suggestions = facts.kind === 'bank_payment' ? facts.payment.suggestions : [];
    expect(suggestions[0]).toMatchObject({ legalName: 'Lindengracht Horeca BV', problem: null });
    expect(suggestions[0]?.because).toContain('name');
    const unverified = await makeBusiness(app.db, app.scopeOf(owner), { verified: false, funded: false });
    expect(
      await failure(jonas.api.bankTransfers.assign({ bankPaymentId, businessId: unverified.id })),
    ).toMatchObject({ code: 'business/wrong-state' });
    const place = { countryCode: 'US', lat: 40.71, lng: -74, funded: false };
    const abroad = await makeBusiness(app.db, app.scopeOf(owner), place);
    expect(
      (await failure(jonas.api.bankTransfers.assign({ bankPaymentId, businessId: abroad.id }))).data,
    ).toMatchObject({ issues: [{ path: 'businessId' }] });
    const before = await balance('bank_unmatched');
    expect(await assign()).toMatchObject({ state: 'credited', amountMinor: 7_710 });
    expect(await balance('business_balance')).toBe(7_710);
    expect(before - (await balance('bank_unmatched'))).toBe(7_710);
    expect((await openCases()).some(({ subjectId }) => subjectId === bankPaymentId)).toBe(false);
    expect(await failure(assign())).toMatchObject({ status: 409 });
    expect(await balance('business_balance')).toBe(7_710);
  });
});

describe('the businesses that an unmatched payment may be for', () => {
  const suggestionsOf = async (subjectId: string) => {
    const ref = { kind: 'bank_payment' as const, subjectId };
    await jonas.api.cases.claim(ref);
    const { facts } = await jonas.api.cases.get(ref);
    return facts.kind === 'bank_payment' ? facts.payment.suggestions : [];
  };

  it('include one that the same account paid for before, and one whose reference has a typo', async () => {
    const payment = { payer: 'Somebody Else', account: 'DE89370400440532013000' };
    const first = await unmatched('10.00', payment);
    await jonas.api.cases.claim({ kind: 'bank_payment', subjectId: first });
    await jonas.api.bankTransfers.assign({ bankPaymentId: first, businessId });
    const ofAccount = await suggestionsOf(await unmatched('11.00', payment));
    expect(ofAccount).toContainEqual(
      expect.objectContaining({ businessId, because: ['account'], problem: null }),
    );
    const typo = reference.replace(/^RF../, 'RF00');
    const ofReference = await suggestionsOf(await unmatched('12.00', { payer: 'Nobody', words: typo }));
    expect(ofReference).toContainEqual(
      expect.objectContaining({ businessId, because: expect.arrayContaining(['reference']) }),
    );
  });
});

describe('bankTransfers.sendBack', () => {
  it('takes the payment off the books once it was sent back', async () => {
    const received = await balance('provider_bank');
    const bankPaymentId = await unmatched('12.00');
    await jonas.api.cases.claim({ kind: 'bank_payment', subjectId: bankPaymentId });
    const sendBack = () => jonas.api.bankTransfers.sendBack({ bankPaymentId, note: 'Sent back today.' });
    expect(await sendBack()).toMatchObject({ state: 'sent_back' });
    expect(await balance('provider_bank')).toBe(received);
    expect(await failure(sendBack())).toMatchObject({ status: 409 });
    expect(await compareBooks(app.db, app.scopeOf(owner))).toEqual([]);
  });
});
