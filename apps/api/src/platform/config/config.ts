import { limits } from '@nearhand/contract/limits';
import type { TransferAccount } from '@nearhand/contract/money/bank-transfers.rules';
import { moneyLimits } from '@nearhand/contract/money/limits';
import { editsBetween } from '@nearhand/contract/people/spelling.rules';
import { settingDefaults } from '@nearhand/contract/setting-defaults';
import { talkLimits } from '@nearhand/contract/talk/limits';
import { workLimits } from '@nearhand/contract/work/limits';
import { z } from 'zod';
import { StartRefusedError } from '../start-refused.ts';
import { companySettings, type PlatformCompany, withCompany } from './config-company.ts';
import { identityProblems, identitySettings } from './config-identity.ts';
import { nativeSettings } from './config-native.ts';
import { noticeSettings } from './config-notices.ts';
import { paymentProblems, paymentSettings } from './config-payments.ts';
import { type MapTilesSource, placesProblems, placesSettings, withMapTiles } from './config-places.ts';
import { processProblems, processSettings } from './config-processes.ts';
import {
  amountsByCountry,
  flag,
  httpUrl,
  isLoopback,
  optionalUrl,
  proxies,
  wholeNumber,
} from './config-shapes.ts';
import { socialSignInSettings, withLocalSignIn } from './config-social-sign-in.ts';
import { openIdSettings, verificationSettings } from './config-verification.ts';

/** Every setting. `npm run docs` generates docs/configuration.md from it; secrets are never printed. */
export const settings = {
  NODE_ENV: {
    shape: z.enum(['development', 'test', 'production']).default('development'),
    doc: 'production turns off the development mailbox and requires SECRET, PUBLIC_URL, SMTP_URL and DOCUMENT_KEYS; test lets the end-to-end tests move the clock (/dev/clock).',
  },
  PORT: { shape: wholeNumber(1, 65_535).default(8080), doc: 'Port of the web app and API.' },
  HOST: {
    shape: z.string().min(1).default('127.0.0.1'),
    doc: 'Address to listen on; 0.0.0.0 behind a proxy or in a container.',
  },
  PUBLIC_URL: {
    shape: httpUrl
      .refine((text) => {
        const { pathname, search, hash, username, password } = new URL(text);
        return pathname === '/' && `${search}${hash}${username}${password}` === '';
      }, 'an address without a path, such as https://nearhand.example')
      .optional(),
    doc: 'Address that people open, used for links in mail and for sign-in; http://localhost:PORT by default.',
  },
  TRUST_PROXY: {
    shape: proxies.optional(),
    doc: 'Addresses or CIDR ranges of your reverse proxies, separated by commas; only their X-Forwarded-For is trusted.',
  },
  REDIS_URL: {
    shape: z
      .string()
      .regex(/^rediss?:\/\//, 'a redis:// or rediss:// address')
      .refine((text) => URL.canParse(text), 'a redis:// or rediss:// address')
      .optional(),
    secret: true,
    doc: 'Redis that carries signals between server processes; without it PostgreSQL does. It stores nothing, and nothing is lost while it is down.',
  },
  DATA_DIR: {
    shape: z.string().min(1).default('data'),
    doc: 'Folder of the embedded database and stored files.',
  },
  SECRET: {
    shape: z.string().min(32).optional(),
    secret: true,
    doc: 'Signs sessions and access tokens; at least 32 characters. In development one is generated and kept in DATA_DIR.',
  },
  LOG_LEVEL: {
    shape: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
    doc: 'Log level; logs are JSON lines on standard output.',
  },
  DEMO: {
    shape: flag.default(true),
    doc: 'false starts with an empty database instead of the demo town. Production never creates the town.',
  },
  METRICS_TOKEN: {
    shape: z.string().min(16).optional(),
    secret: true,
    doc: 'Bearer token for /metrics; without it only this machine can read them, and no one in production.',
  },
  API_DOCS: {
    shape: flag.optional(),
    doc: 'Whether /api/openapi.json and the pages under /api/docs are served; on by default, in production off.',
  },
  OFFLINE_APP: {
    shape: flag.default(true),
    doc: 'false makes browsers drop the files that they keep to start the app without a network, at their next visit: for a release that must not stay.',
  },
  ...processSettings,
  ...noticeSettings,
  ...verificationSettings,
  ...companySettings,
  CONTACT_EMAIL: {
    shape: z.email().optional(),
    doc: 'Address in the imprint and the privacy policy.',
  },
  SETTLEMENT_BODY: {
    shape: z.string().trim().min(1).max(200).optional(),
    doc: 'Name of a certified body that settles disputes about our decisions out of court (DSA, article 21), named after a rejected appeal.',
  },
  SETTLEMENT_BODY_URL: {
    shape: optionalUrl,
    doc: 'The site of that body, https://host/path.',
  },
  FILES_S3_URL: {
    shape: optionalUrl,
    doc: 'Address of an S3-compatible bucket, https://host/bucket; without it files are stored under DATA_DIR/files.',
  },
  FILES_S3_REGION: { shape: z.string().default('auto'), doc: 'Region for signing requests to the bucket.' },
  FILES_S3_KEY: { shape: z.string().optional(), secret: true, doc: 'Access key ID of the bucket.' },
  FILES_S3_SECRET: { shape: z.string().optional(), secret: true, doc: 'Secret access key of the bucket.' },
  ...paymentSettings,
  SANDBOX_WEBHOOKS: {
    shape: z
      .string()
      .regex(
        /^(normal|shuffled|lossy|copies=\d,lost=(100|\d{1,2})%,spread=\d{1,5}s)$/,
        'normal, shuffled, lossy, or all three of copies=N,lost=N%,spread=Ns',
      )
      .default('normal'),
    doc: 'How the sandbox delivers webhooks: normal; shuffled (up to 2 minutes late, often twice); lossy (shuffled, and one of ten never); or your own values, e.g. copies=5,lost=10%,spread=60s.',
  },
  ...identitySettings,
  ...socialSignInSettings,
  ...openIdSettings,
  ...placesSettings,
  BUSINESS_FEE_BASIS_POINTS: {
    shape: wholeNumber(0, 5_000).default(settingDefaults.businessFeeBasisPoints),
    doc: 'Fee the business pays on top of the pay, in basis points.',
  },
  WORKER_FEE_BASIS_POINTS: {
    shape: wholeNumber(0, 5_000).default(settingDefaults.workerFeeBasisPoints),
    doc: 'Fee deducted from the worker’s pay, in basis points.',
  },
  TOP_UP_DAY_MINOR: {
    shape: wholeNumber(moneyLimits.topUpMinMinor, 100_000_000).default(200_000),
    doc: 'What an unverified business can add to its balance in 24 hours, in euro cents; other currencies count by the reference rates (ADR 203).',
  },
  TOP_UP_DAY_VERIFIED_MINOR: {
    shape: wholeNumber(moneyLimits.topUpMinMinor, 1_000_000_000).default(5_000_000),
    doc: 'The same for a verified business.',
  },
  SECOND_OPERATOR_ABOVE_MINOR: {
    shape: wholeNumber(0, 100_000_000).default(50_000),
    doc: 'A decision of an operator that moves more than this takes a second operator, in minor units of a currency with two decimals.',
  },
  GOODWILL_ALONE_MINOR: {
    shape: wholeNumber(0, 100_000_000).default(5_000),
    doc: 'What one operator can give a person or business as goodwill in 30 days, in euro cents; other currencies count by the reference rates (ADR 203). More takes a second operator.',
  },
  CREDIT_ALONE_MINOR: {
    shape: wholeNumber(0, 100_000_000).default(100_000),
    doc: 'The credit limit that one operator can give a business alone, in euro cents; other currencies count by the reference rates (ADR 203). More takes a second operator.',
  },
  CLEARING_DAYS: {
    shape: wholeNumber(0, 60).default(settingDefaults.clearingDays),
    doc: 'Days until pay is available to a worker without a verified payout identity.',
  },
  REFERRAL_INVITER_MINOR: {
    shape: wholeNumber(0, 100_000).default(1_000),
    doc: 'Reward for inviting someone, in minor units of a currency with two decimals; 0 pays none.',
  },
  REFERRAL_INVITED_MINOR: {
    shape: wholeNumber(0, 100_000).default(1_000),
    doc: 'Reward for the person who was invited, in the same units; 0 pays none.',
  },
  REFERRAL_QUALIFYING_MINOR: {
    shape: wholeNumber(1, 1_000_000).default(4_000),
    doc: 'Pay for work that earns a referral reward, in euro cents; other currencies count by the reference rates (ADR 203).',
  },
  REFERRAL_DAY_CAP_MINOR: {
    shape: wholeNumber(0, 100_000_000).default(50_000),
    doc: 'Referral rewards paid automatically in 24 hours by the whole platform, in euro cents; beyond it an operator decides each.',
  },
  WITHDRAWAL_MIN_MINOR: {
    shape: wholeNumber(1, 1_000_000).default(settingDefaults.withdrawalMinMinor),
    doc: 'Minimum withdrawal, in minor units of a currency with two decimals.',
  },
  WITHDRAWAL_INSTANT_FEE_MINOR: {
    shape: wholeNumber(0, 10_000).default(settingDefaults.withdrawalInstantFeeMinor),
    doc: 'Fee of an instant withdrawal, in minor units of a currency with two decimals.',
  },
  WITHDRAWALS_PER_DAY: {
    shape: wholeNumber(1, 100).default(settingDefaults.withdrawalsPerDay),
    doc: 'Withdrawals per worker in 24 hours.',
  },
  PAYOUT_METHOD_HOLD_DAYS: {
    shape: wholeNumber(0, 30).default(settingDefaults.payoutMethodHoldDays),
    doc: 'Days before money can be withdrawn to a new bank account.',
  },
  APPLICATIONS_PER_DAY: {
    shape: wholeNumber(1, 10_000).default(settingDefaults.applicationsPerDay),
    doc: 'Applications per worker in 24 hours.',
  },
  CHAT_BURST: {
    shape: wholeNumber(1, 1_000_000).default(5),
    doc: 'Messages per account in one second.',
  },
  CHAT_PER_MINUTE: {
    shape: wholeNumber(1, 1_000_000).default(talkLimits.chatPerMinute),
    doc: 'Messages per account in one minute.',
  },
  JOB_SCREENING: {
    shape: wholeNumber(0, 1).default(1),
    doc: 'Whether new and changed jobs are screened: 1, or 0 where their texts are known, such as in a demonstration.',
  },
  PAY_FLOORS: {
    shape: amountsByCountry.default(settingDefaults.payFloors),
    doc: 'Minimum hourly pay by country, in minor units, where it differs from the built-in statutory rates, such as NL=1471,US=0; 0 turns the check off there. A job below needs a reason.',
  },
  OPEN_JOBS_WHILE_UNVERIFIED: {
    shape: wholeNumber(0, 1_000).default(settingDefaults.openJobsWhileUnverified),
    doc: `Open jobs of an unverified business. The dates of a series count as one, up to ${limits.datesWhileUnverified} of them.`,
  },
  READS_PER_MINUTE: {
    shape: wholeNumber(1, 1_000_000).default(600),
    doc: 'Reads per account or network address in one minute.',
  },
  PUBLIC_PAGES_PER_MINUTE: {
    shape: wholeNumber(1, 1_000_000).default(600),
    doc: 'Public pages (/j, /b, /jobs, sitemaps) per network address in one minute, and a tenth as many pictures of jobs for link previews; a crawler reads about ten a second.',
  },
  ...nativeSettings,
  WRITES_PER_MINUTE: {
    shape: wholeNumber(1, 1_000_000).default(120),
    doc: 'Writes per account or network address in one minute. The daily limit is 90 times as many, plus 64 KiB of stored responses for each.',
  },
  SIGN_INS_PER_MINUTE: {
    shape: wholeNumber(1, 1_000_000).default(10),
    doc: 'Sign-in attempts per account in one minute, and three times as many per network address; 30 times as many sign-ups per address in a day.',
  },
} as const satisfies Record<string, { shape: z.ZodType; doc: string; secret?: true }>;

const fixedValues = {
  /** Open sockets per network address and server process, signed in or not. */
  SOCKETS_PER_ADDRESS: 1_000,
  /** Connections per process and replica. One more watches each replica, and one the primary. */
  DATABASE_READ_POOL: 10,
  /** Minutes from a push until an unseen urgent notification is also mailed. */
  ESCALATE_MINUTES: settingDefaults.escalateMinutes,
  MESSAGE_MAIL_MINUTES: settingDefaults.messageMailMinutes,
  /** The hour in the reader’s time zone. */
  DIGEST_HOUR: settingDefaults.digestHour,
  CHECKOUT_MINUTES: settingDefaults.checkoutMinutes,
  FUND_AHEAD_DAYS: settingDefaults.fundAheadDays,
  FUND_BY_HOURS: settingDefaults.fundByHours,
  /** Hours before that deadline at which both sides learn that the pay is missing. */
  FUND_WARN_HOURS: 48,
  /** Share of planned pay that overtime takes from the business’s balance; the rest stays owed. */
  OVERTIME_CAP_BASIS_POINTS: 2_500,
  REFERRAL_CLEARING_DAYS: 7,
  REFERRAL_QUALIFYING_DAYS: 90,
  REFERRAL_CLAIM_DAYS: 7,
  REFERRALS_PER_MONTH: 10,
  REFERRALS_IN_ALL: 50,
  REVIEW_DAYS: settingDefaults.reviewDays,
  TIP_DAYS: settingDefaults.tipDays,
  WITHDRAWAL_CANCEL_MINUTES: settingDefaults.withdrawalCancelMinutes,
  JOB_LIFE_DAYS: settingDefaults.jobLifeDays,
  JOB_EXPIRY_WARNING_DAY: 25,
  OFFER_HOURS: settingDefaults.offerHours,
  INTERVIEW_ANSWER_HOURS: settingDefaults.interviewAnswerHours,
  INTERVIEW_RESCHEDULES_MAX: settingDefaults.interviewReschedulesMax,
  INTERVIEW_RESCHEDULE_CLOSES_HOURS: settingDefaults.interviewRescheduleClosesHours,
  INTERVIEW_REMINDER_HOURS: [24, 1] as number[],
  INTERVIEW_NO_SHOW_MINUTES: settingDefaults.interviewNoShowMinutes,
  CONTEST_HOURS: settingDefaults.contestHours,
  CONFIRM_ASKED_HOURS: settingDefaults.confirmAskedHours,
  CONFIRM_AGAIN_HOURS: settingDefaults.confirmAgainHours,
  CONFIRM_BY_HOURS: settingDefaults.confirmByHours,
  NO_SHOW_AFTER_MINUTES: settingDefaults.noShowAfterMinutes,
  CHECK_IN_RADIUS_M: settingDefaults.checkInRadiusM,
  CHECK_IN_OPENS_MINUTES: settingDefaults.checkInOpensMinutes,
  FREE_CANCEL_MINUTES: workLimits.freeCancelMinutes,
  CHANGE_ANSWER_HOURS: workLimits.changeAnswerHours,
  DAY_OFF_ASK_DAYS: workLimits.dayOffAskDays,
  DAY_OFF_ANSWER_HOURS: workLimits.dayOffAnswerHours,
  SENT_HOME_MINUTES: workLimits.sentHomeMinutes,
  LATE_CANCEL_HOURS: settingDefaults.lateCancelHours,
  LATE_CANCEL_SHARE_BASIS_POINTS: settingDefaults.lateCancelShareBasisPoints,
  LATE_CANCEL_MINUTES_MAX: settingDefaults.lateCancelMinutesMax,
  AUTO_SUBMIT_HOURS: settingDefaults.autoSubmitHours,
  AUTO_APPROVE_SHIFT_HOURS: settingDefaults.autoApproveShiftHours,
  APPROVAL_RULE_HOURS: settingDefaults.approvalRuleHours,
  AUTO_APPROVE_TASK_DAYS: settingDefaults.autoApproveTaskDays,
  COUNTER_ROUNDS: settingDefaults.counterRounds,
  DISPUTE_FILE_DAYS: settingDefaults.disputeFileDays,
  DISPUTE_ANSWER_DAYS: settingDefaults.disputeAnswerDays,
  DISPUTE_PROPOSAL_DAYS: settingDefaults.disputeProposalDays,
  DISPUTE_STOP_DAYS: settingDefaults.disputeStopDays,
  DECIDE_BY_DAYS: settingDefaults.decideByDays,
  BUSINESSES_WHILE_UNVERIFIED: settingDefaults.businessesWhileUnverified,
  UPLOADS_PER_DAY: 200,
  ACCOUNT_DELETION_DAYS: 30,
  DATA_EXPORT_HOURS: 24,
  DATA_EXPORTS_PER_DAY: 3,
  /** Search engines accept up to 50,000 addresses in one file. */
  SITEMAP_FILE_ROWS: 50_000,
  /** Verification and reset mails per email address, whether it has an account or not. */
  MAILS_PER_DAY: 20,
  FCM_URL: 'https://fcm.googleapis.com',
  TWILIO_URL: 'https://api.twilio.com',
  FACEBOOK_AUTHORIZE_URL: 'https://www.facebook.com/v23.0/dialog/oauth',
  FACEBOOK_TOKEN_URL: 'https://graph.facebook.com/v23.0/oauth/access_token',
  FACEBOOK_PROFILE_URL: 'https://graph.facebook.com/v23.0/me?fields=id,name,email',
  /** Push services that browsers may name; `*.` matches every host under a name. */
  PUSH_HOSTS: [
    'fcm.googleapis.com',
    '*.push.services.mozilla.com',
    '*.notify.windows.com',
    '*.push.apple.com',
  ],
  /** PEM file of a certificate authority, for tests. */
  PUSH_CA: undefined as string | undefined,
  /** DNS servers for domain verification; the system's unless a test sets others. */
  DOMAIN_DNS_SERVERS: undefined as string[] | undefined,
};

type Wide<Value> = Value extends number ? number : Value extends string ? string : Value;

/** Constants read through `Config`. The environment can't replace them, but tests can (`readConfig`). */
export const constants: { [Name in keyof typeof fixedValues]: Wide<(typeof fixedValues)[Name]> } =
  fixedValues;

type Settings = typeof settings;
type Raw = { [Name in keyof Settings]: z.output<Settings[Name]['shape']> };

export type Config = Omit<
  Raw,
  'PUBLIC_URL' | 'LOCAL_SIGN_IN' | 'MAP_TILES' | 'PLATFORM_COMPANY' | 'TRANSFER_ACCOUNT'
> &
  typeof constants & {
    PUBLIC_URL: string;
    LOCAL_SIGN_IN: boolean;
    MAP_TILES: MapTilesSource | undefined;
    /** Without our company's details no invoice is issued. */
    PLATFORM_COMPANY: PlatformCompany | undefined;
    /** Without our bank account no transfer is accepted. */
    TRANSFER_ACCOUNT: TransferAccount | undefined;
  };

/** Settings that only work together: all of a line are set, or none. */
const together: readonly (readonly (keyof Settings)[])[] = [
  ['FILES_S3_URL', 'FILES_S3_KEY', 'FILES_S3_SECRET'],
  ['INBOUND_MAIL_DOMAIN', 'INBOUND_MAIL_SECRET'],
  ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'],
  ['APNS_TEAM_ID', 'APNS_KEY_ID', 'APNS_PRIVATE_KEY'],
  ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['FACEBOOK_CLIENT_ID', 'FACEBOOK_CLIENT_SECRET'],
  ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'],
  ['OPENID_NAME', 'OPENID_ISSUER', 'OPENID_CLIENT_ID', 'OPENID_CLIENT_SECRET'],
];

const meaningless: readonly (readonly [keyof Settings, without: keyof Settings])[] = [
  ['FILES_S3_REGION', 'FILES_S3_URL'],
  ['GEOCODER_KIND', 'GEOCODER_URL'],
  ['ROUTER_KIND', 'ROUTER_URL'],
  ['OPENID_CLIENT_AUTH', 'OPENID_ISSUER'],
  ['DATABASE_DIRECT_URL', 'DATABASE_URL'],
  ['DATABASE_OWNER_URL', 'DATABASE_URL'],
  ['DATABASE_READ_URL', 'DATABASE_URL'],
];

type Environment = Record<string, string | undefined>;

/**
 * @param replaced constants for tests
 * @throws StartRefusedError naming every invalid setting, without secrets
 */
export function readConfig(environment: Environment, replaced: Partial<typeof constants> = {}): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const text = environment[name];
    const result = setting.shape.safeParse(text === '' ? undefined : text);
    if (result.success) values[name] = result.data;
    else
      problems.push(
        `${name}${'secret' in setting ? '' : `=${text}`}: must be ${describeIssues(result.error.issues)}. ${setting.doc}`,
      );
  }
  const isSet = (name: keyof Settings) => Boolean(environment[name]);
  for (const names of together) {
    const missing = names.filter((name) => !isSet(name));
    if (missing.length > 0 && missing.length < names.length)
      problems.push(`${missing.join(', ')}: must be set too, or none of ${names.join(', ')}.`);
  }
  for (const [name, requirement] of meaningless)
    if (isSet(name) && !isSet(requirement)) problems.push(`${name}: also set ${requirement}.`);
  const config = values as Raw;
  if (config.NODE_ENV === 'production') {
    for (const name of ['SECRET', 'PUBLIC_URL', 'SMTP_URL', 'DOCUMENT_KEYS'] as const)
      if (!isSet(name)) problems.push(`${name}: must be set in production. ${settings[name].doc}`);
    if (config.LOCAL_SIGN_IN)
      problems.push('LOCAL_SIGN_IN=true: not in production, where it would let anyone sign in as anyone.');
  }
  // The development mailbox and the demo passwords are open to anyone who can reach the server.
  if (config.NODE_ENV !== 'production' && config.PUBLIC_URL && !isLoopback(config.PUBLIC_URL))
    problems.push(
      `PUBLIC_URL=${config.PUBLIC_URL}: a public address needs NODE_ENV=production. Otherwise anyone could read all mail and use the demo accounts.`,
    );
  problems.push(
    ...processProblems(config),
    ...identityProblems(config),
    ...placesProblems(config),
    ...paymentProblems(config, isSet),
  );
  if (problems.length > 0)
    throw new StartRefusedError([...problems, ...unknownNames(environment)].join('\n'));
  const publicUrl = (config.PUBLIC_URL ?? `http://localhost:${config.PORT}`).replace(/\/+$/, '');
  return {
    ...constants,
    ...replaced,
    ...config,
    PUBLIC_URL: publicUrl,
    ...withLocalSignIn(config, config.NODE_ENV, publicUrl),
    ...withMapTiles(config),
    ...withCompany(config),
  };
}

/** Constraints of a value, as the end of a sentence. */
const describeIssues = (issues: readonly z.core.$ZodIssue[]): string =>
  issues
    .map((issue) => {
      const place = issue.path.length > 0 ? ` in ${issue.path.join('.')}` : '';
      if (issue.code === 'too_small' && issue.origin === 'string')
        return `at least ${issue.minimum} characters long${place}`;
      if (issue.code === 'too_big' && issue.origin === 'string')
        return `at most ${issue.maximum} characters long${place}`;
      if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid'))
        return `one of ${issue.values.join(', ')}${place}`;
      return `${issue.message}${place}`;
    })
    .join(', ');

/** Prefixes of our variables that other programs are unlikely to use. */
const ourWords =
  /^(NEARHAND|DATABASE|FILES_S3|SMTP|MAILS?|INBOUND_MAIL|VAPID|FCM|APNS|TWILIO|FIREBASE|GOOGLE_CLIENT|FACEBOOK|APPLE|OPENID|GEOCODER|ROUTER|MAP|REFERRALS?|WITHDRAWALS?|TOP_UP|PAYMENT|STRIPE|DOCUMENT|NATIVE)_/;
/** Variables that Kubernetes sets for a service of that name. */
const ofKubernetes = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_\w+)?)$/;

/** Misspelled settings, or settings of another version. */
function unknownNames(environment: Environment): string[] {
  const names = Object.keys(settings);
  return Object.keys(environment).flatMap((name) => {
    if (!environment[name] || name in settings || !/^[A-Z][A-Z0-9_]*$/.test(name)) return [];
    const maxEdits = name.length > 5 ? 2 : 1;
    const near = names
      .map((setting) => ({ setting, edits: editsBetween(name, setting, maxEdits) }))
      .filter(({ edits }) => edits <= maxEdits)
      .sort((a, b) => a.edits - b.edits)[0];
    if (near) return [`Warning: ${name} is not a setting; did you mean ${near.setting}?`];
    return ourWords.test(name) && !ofKubernetes.test(name)
      ? [`Warning: ${name} is not a setting and has no effect (docs/configuration.md).`]
      : [];
  });
}

export const configWarnings = (
  config: Pick<
    Config,
    'NODE_ENV' | 'HOST' | 'PUBLIC_URL' | 'TRUST_PROXY' | 'PLATFORM_COMPANY' | 'CONTACT_EMAIL'
  >,
  environment: Environment = {},
): string[] => [...unknownNames(environment), ...riskWarnings(config), ...legalWarnings(config)];

/** The law requires an imprint and a privacy policy that name who runs a service. */
function legalWarnings(config: Pick<Config, 'NODE_ENV' | 'PLATFORM_COMPANY' | 'CONTACT_EMAIL'>): string[] {
  if (config.NODE_ENV !== 'production') return [];
  const unset = [
    ...(config.PLATFORM_COMPANY === undefined ? ['PLATFORM_COMPANY'] : []),
    ...(config.CONTACT_EMAIL === undefined ? ['CONTACT_EMAIL'] : []),
  ];
  return unset.length === 0
    ? []
    : [
        `Warning: ${unset.join(' and ')} not set. The imprint and the privacy policy do not say who runs this service, and no invoices are issued without PLATFORM_COMPANY.`,
      ];
}

function riskWarnings(config: Pick<Config, 'NODE_ENV' | 'HOST' | 'PUBLIC_URL' | 'TRUST_PROXY'>): string[] {
  const { NODE_ENV, HOST, PUBLIC_URL, TRUST_PROXY } = config;
  if (NODE_ENV === 'production') {
    if (PUBLIC_URL.startsWith('https:'))
      // The server does not terminate TLS, so all calls come from a proxy's address.
      return TRUST_PROXY
        ? []
        : [
            'Warning: TRUST_PROXY is not set. All callers behind your proxy share one rate limit, so one of them can block sign-in for everyone. Set it to the addresses of your proxy.',
          ];
    return isLoopback(PUBLIC_URL)
      ? []
      : [`Warning: PUBLIC_URL=${PUBLIC_URL} is not https. Passwords and sessions are sent unencrypted.`];
  }
  // A container listens on every address even if only its host can reach it, so this only warns.
  if (isLoopback(`http://${HOST.includes(':') ? `[${HOST}]` : HOST}`)) return [];
  return [
    `Warning: HOST=${HOST} may be reachable from other machines, and NODE_ENV is ${NODE_ENV}. Anyone who can reach this server can read all its mail and use the demo accounts. Set NODE_ENV=production, or HOST=127.0.0.1 to keep it on this machine.`,
  ];
}
