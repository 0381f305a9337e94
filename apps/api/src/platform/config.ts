import { limits } from '@nearhand/contract/limits';
import { z } from 'zod';
import { noticeSettings } from './config-notices.ts';
import { flag, hoursBefore, isLoopback, optionalUrl, proxies, whole } from './config-shapes.ts';

/**
 * Every setting: its shape, default and what it is for. `docs/configuration.md` is made from this table (`npm run docs`), and the server refuses
 * to start on a value that does not fit. Secrets are marked, so that they are never printed.
 */
export const settings = {
  NODE_ENV: {
    shape: z.enum(['development', 'test', 'production']).default('development'),
    doc: 'production turns the development mailbox off and demands SECRET and PUBLIC_URL; test lets the end-to-end tests move the clock (/dev/clock).',
  },
  PORT: { shape: whole(1, 65_535).default(8080), doc: 'Port of web and API.' },
  HOST: {
    shape: z.string().min(1).default('127.0.0.1'),
    doc: 'Address to listen on; 0.0.0.0 behind a proxy or in a container.',
  },
  PUBLIC_URL: {
    shape: optionalUrl,
    doc: 'Address people open, for links in mail and for sign-in; default http://localhost:PORT.',
  },
  TRUST_PROXY: {
    shape: proxies.optional(),
    doc: 'Addresses or CIDR ranges of the reverse proxies in front, separated by commas; only their X-Forwarded-For is believed.',
  },
  DATABASE_URL: {
    shape: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'a postgres:// address')
      .optional(),
    secret: true,
    doc: 'A PostgreSQL 15 or newer; without it an embedded PostgreSQL 18 runs under DATA_DIR.',
  },
  DATABASE_POOL: { shape: whole(2, 200).default(10), doc: 'Most connections of one server process.' },
  REDIS_URL: {
    shape: z
      .string()
      .regex(/^rediss?:\/\//, 'a redis:// or rediss:// address')
      .refine((text) => URL.canParse(text), 'a redis:// or rediss:// address')
      .optional(),
    secret: true,
    doc: 'A Redis that carries signals between server processes; without it PostgreSQL does. Nothing is stored in it, and nothing is lost while it is away.',
  },
  DATA_DIR: {
    shape: z.string().min(1).default('data'),
    doc: 'Folder of the embedded database and of stored files.',
  },
  SECRET: {
    shape: z.string().min(32).optional(),
    secret: true,
    doc: 'Signs sessions and access tokens; at least 32 characters. In development one is made and kept in DATA_DIR.',
  },
  LOG_LEVEL: {
    shape: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
    doc: 'How much is logged, as JSON lines on standard output.',
  },
  DEMO: {
    shape: flag.default(true),
    doc: 'false leaves an empty database without the demo town. In production there is none, whatever this says.',
  },
  METRICS_TOKEN: {
    shape: z.string().min(16).optional(),
    secret: true,
    doc: 'Bearer token for /metrics; without it only this machine may read them, and in production nobody.',
  },
  ...noticeSettings,
  INVOICE_SENDER: {
    shape: z.string().min(1).max(1_000).default('Nearhand'),
    doc: 'Who stands on invoices and receipts as their sender: legal name, address, tax number; lines separated by |.',
  },
  FILES_S3_URL: {
    shape: optionalUrl,
    doc: 'Address of an S3-compatible bucket, https://host/bucket; without it files lie under DATA_DIR/files.',
  },
  FILES_S3_REGION: { shape: z.string().default('auto'), doc: 'Region for signing.' },
  FILES_S3_KEY: { shape: z.string().optional(), secret: true, doc: 'Access key id of the bucket.' },
  FILES_S3_SECRET: { shape: z.string().optional(), secret: true, doc: 'Secret access key of the bucket.' },
  PAYMENT_PROVIDER: {
    shape: z.enum(['sandbox']).default('sandbox'),
    doc: 'Who moves the money; sandbox is built in, takes test numbers only and moves none (docs/payments.md).',
  },
  PAYMENT_SANDBOX_IN_PRODUCTION: {
    shape: flag.default(false),
    doc: 'true lets a production server run on the sandbox: nobody is charged and nobody is paid. Without it such a server does not start.',
  },
  SANDBOX_WEBHOOKS: {
    shape: z
      .string()
      .regex(
        /^(normal|shuffled|lossy|copies=\d,lost=(100|\d{1,2})%,spread=\d{1,5}s)$/,
        'normal, shuffled, lossy, or all three of copies=N,lost=N%,spread=Ns',
      )
      .default('normal'),
    doc: 'How the sandbox delivers its webhooks: normal; shuffled (late by up to 2 minutes, often twice); lossy (shuffled, and one of ten never); or as told, e.g. copies=5,lost=10%,spread=60s.',
  },
  GOOGLE_CLIENT_ID: {
    shape: z.string().optional(),
    doc: 'Shows the Google button when set together with its secret.',
  },
  GOOGLE_CLIENT_SECRET: { shape: z.string().optional(), secret: true, doc: 'Secret of the Google client.' },
  GOOGLE_ISSUER: {
    shape: z.url().default('https://accounts.google.com'),
    doc: 'OpenID issuer behind the Google button.',
  },
  FACEBOOK_CLIENT_ID: {
    shape: z.string().optional(),
    doc: 'Shows the Facebook button when set together with its secret.',
  },
  FACEBOOK_CLIENT_SECRET: { shape: z.string().optional(), secret: true, doc: 'Secret of the Facebook app.' },
  FACEBOOK_AUTHORIZE_URL: {
    shape: z.url().default('https://www.facebook.com/v23.0/dialog/oauth'),
    doc: 'Where Facebook asks the person.',
  },
  FACEBOOK_TOKEN_URL: {
    shape: z.url().default('https://graph.facebook.com/v23.0/oauth/access_token'),
    doc: 'Where the code is changed for a token.',
  },
  FACEBOOK_PROFILE_URL: {
    shape: z.url().default('https://graph.facebook.com/v23.0/me?fields=id,name,email'),
    doc: 'Where name and email come from.',
  },
  MAP_STYLE_URL: {
    shape: optionalUrl,
    doc: 'MapLibre style; without it coastline, rings and pins on our own ground.',
  },
  MAP_START: {
    shape: z
      .string()
      .regex(/^-?\d+(\.\d+)?,-?\d+(\.\d+)?,.+$/)
      .default('52.3728,4.8936,Amsterdam'),
    doc: 'Where the app starts without a position: lat,lng,name.',
  },
  MERCHANT_FEE_BASIS_POINTS: {
    shape: whole(0, 5_000).default(limits.merchantFeeBasisPoints),
    doc: 'Fee the merchant pays on top of pay, in basis points.',
  },
  WORKER_FEE_BASIS_POINTS: {
    shape: whole(0, 5_000).default(limits.workerFeeBasisPoints),
    doc: 'Fee taken from the worker, in basis points.',
  },
  CHECKOUT_MINUTES: {
    shape: whole(1, 240).default(limits.checkoutMinutes),
    doc: 'Minutes in which the hold of an offer must be paid before the offer ends.',
  },
  OVERTIME_CAP_BASIS_POINTS: {
    shape: whole(0, 20_000).default(limits.overtimeCapBasisPoints),
    doc: 'Overtime, as a share of the planned pay, that is taken from the balance of a business without asking; the rest stays owed until it is funded.',
  },
  TIP_DAYS: {
    shape: whole(1, 365).default(limits.tipDays),
    doc: 'Days after the work in which a tip or bonus can be given.',
  },
  CLEARING_DAYS: {
    shape: whole(0, 60).default(limits.clearingDays),
    doc: 'Days until pay is available to a worker whose payout identity is not verified.',
  },
  WITHDRAWAL_MIN_MINOR: {
    shape: whole(1, 1_000_000).default(limits.withdrawalMinMinor),
    doc: 'Least that can be withdrawn, in minor units of a currency with two digits.',
  },
  WITHDRAWAL_INSTANT_FEE_MINOR: {
    shape: whole(0, 10_000).default(limits.withdrawalInstantFeeMinor),
    doc: 'Fee of an instant withdrawal, in minor units of a currency with two digits.',
  },
  WITHDRAWALS_PER_DAY: {
    shape: whole(1, 100).default(limits.withdrawalsPerDay),
    doc: 'Withdrawals of one worker in 24 hours.',
  },
  WITHDRAWAL_CANCEL_MINUTES: {
    shape: whole(0, 1_440).default(limits.withdrawalCancelMinutes),
    doc: 'Minutes in which a standard withdrawal can be cancelled before it is sent.',
  },
  PAYOUT_METHOD_HOLD_DAYS: {
    shape: whole(0, 30).default(limits.payoutMethodHoldDays),
    doc: 'Days until a new bank account can be paid out to.',
  },
  JOB_LIFE_DAYS: { shape: whole(1, 365).default(limits.jobLifeDays), doc: 'Days until an open job expires.' },
  JOB_EXPIRY_WARNING_DAY: {
    shape: whole(1, 364).default(limits.jobExpiryWarningDay),
    doc: 'Day of a job’s life on which its business is warned.',
  },
  OFFER_HOURS: {
    shape: whole(1, 720).default(limits.offerHours),
    doc: 'Hours a worker has to answer an offer.',
  },
  INTERVIEW_ANSWER_HOURS: {
    shape: whole(1, 720).default(limits.interviewAnswerHours),
    doc: 'Hours until a proposed interview that nobody answered lapses.',
  },
  INTERVIEW_RESCHEDULES_MAX: {
    shape: whole(0, 20).default(limits.interviewReschedulesMax),
    doc: 'How often one interview can be asked to move.',
  },
  INTERVIEW_RESCHEDULE_CLOSES_HOURS: {
    shape: whole(0, 168).default(limits.interviewRescheduleClosesHours),
    doc: 'Hours before an interview from which it can no longer be asked to move.',
  },
  INTERVIEW_REMINDER_HOURS: {
    shape: hoursBefore.default([...limits.interviewReminderHours]),
    doc: 'Hours before an interview at which both sides are reminded, separated by commas.',
  },
  INTERVIEW_NO_SHOW_MINUTES: {
    shape: whole(0, 240).default(limits.interviewNoShowMinutes),
    doc: 'Minutes after the start from which one side can say that the other missed an interview.',
  },
  CONTEST_HOURS: {
    shape: whole(1, 720).default(limits.contestHours),
    doc: 'Hours in which a reported no-show, at work or at an interview, can be contested.',
  },
  CONFIRM_ASKED_HOURS: {
    shape: whole(13, 168).default(limits.confirmAskedHours),
    doc: 'Hours before the start at which a worker is asked to confirm; the business hears 12 hours before it of who did not.',
  },
  NO_SHOW_AFTER_MINUTES: {
    shape: whole(1, 1_440).default(limits.noShowAfterMinutes),
    doc: 'Minutes after the start from which a worker can be reported as not there.',
  },
  CHECK_IN_RADIUS_M: {
    shape: whole(20, 2_000).default(limits.checkInRadiusM),
    doc: 'Metres around the place within which one can check in by position.',
  },
  CHECK_IN_OPENS_MINUTES: {
    shape: whole(0, 240).default(limits.checkInOpensMinutes),
    doc: 'Minutes before the start from which one can check in.',
  },
  LATE_CANCEL_HOURS: {
    shape: whole(0, 168).default(limits.lateCancelHours),
    doc: 'Hours before the start from which a cancellation counts as late.',
  },
  LATE_CANCEL_SHARE_BASIS_POINTS: {
    shape: whole(0, 10_000).default(limits.lateCancelShareBasisPoints),
    doc: 'Share of the pay that a business owes when it cancels late, in basis points.',
  },
  LATE_CANCEL_MINUTES_MAX: {
    shape: whole(0, 1_440).default(limits.lateCancelMinutesMax),
    doc: 'Minutes of pay that a late cancellation of a shift costs a business at most.',
  },
  AUTO_SUBMIT_HOURS: {
    shape: whole(1, 168).default(limits.autoSubmitHours),
    doc: 'Hours after the end until hours nobody submitted are submitted as planned.',
  },
  AUTO_APPROVE_SHIFT_HOURS: {
    shape: whole(1, 720).default(limits.autoApproveShiftHours),
    doc: 'Hours until submitted hours are approved by themselves.',
  },
  AUTO_APPROVE_TASK_DAYS: {
    shape: whole(1, 90).default(limits.autoApproveTaskDays),
    doc: 'Days until a delivery is approved by itself.',
  },
  COUNTER_ROUNDS: {
    shape: whole(1, 20).default(limits.counterRounds),
    doc: 'Counter-proposals about hours after which a dispute opens by itself.',
  },
  DISPUTE_FILE_DAYS: {
    shape: whole(1, 90).default(limits.disputeFileDays),
    doc: 'Days after the work in which a dispute can be opened.',
  },
  DISPUTE_ANSWER_DAYS: {
    shape: whole(1, 90).default(limits.disputeAnswerDays),
    doc: 'Days to answer a dispute.',
  },
  DISPUTE_PROPOSAL_DAYS: {
    shape: whole(1, 90).default(limits.disputeProposalDays),
    doc: 'Days to answer a proposal to settle a dispute.',
  },
  DISPUTE_STOP_DAYS: {
    shape: whole(1, 365).default(limits.disputeStopDays),
    doc: 'Days until a dispute ends by the record, whoever has not answered.',
  },
  DECIDE_BY_DAYS: {
    shape: whole(1, 90).default(limits.decideByDays),
    doc: 'Days a business has to answer an application.',
  },
  APPLICATIONS_PER_DAY: {
    shape: whole(1, 10_000).default(limits.applicationsPerDay),
    doc: 'Applications one worker may send in 24 hours.',
  },
  CHAT_BURST: {
    shape: whole(1, 1_000_000).default(limits.chatBurst),
    doc: 'Messages one account may send within a second.',
  },
  CHAT_PER_MINUTE: {
    shape: whole(1, 1_000_000).default(limits.chatPerMinute),
    doc: 'Messages one account may send within a minute.',
  },
  OPEN_JOBS_WHILE_UNVERIFIED: {
    shape: whole(0, 1_000).default(limits.openJobsWhileUnverified),
    doc: 'Open jobs of a business that is not verified.',
  },
  BUSINESSES_WHILE_UNVERIFIED: {
    shape: whole(1, 1_000).default(limits.businessesWhileUnverified),
    doc: 'Businesses one account may own that are neither verified nor closed.',
  },
  UPLOADS_PER_DAY: {
    shape: whole(1, 1_000_000).default(limits.uploadsPerDay),
    doc: 'Files one account may store in 24 hours.',
  },
  READS_PER_MINUTE: {
    shape: whole(1, 1_000_000).default(600),
    doc: 'Reads one account or address may do in a minute.',
  },
  WRITES_PER_MINUTE: {
    shape: whole(1, 1_000_000).default(120),
    doc: 'Writes one account or address may do in a minute; in a day 90 times as many, and 64 KiB of kept answers for each of the minute.',
  },
  SIGN_INS_PER_MINUTE: {
    shape: whole(1, 1_000_000).default(10),
    doc: 'Sign-in attempts for one account, and for one address times three, in a minute; sign-ups of one address in a day are 30 times as many.',
  },
  MAILS_PER_DAY: {
    shape: whole(1, 1_000_000).default(20),
    doc: 'Mails with a link to verify or to reset that one email address may be sent in a day, known or not.',
  },
} as const satisfies Record<string, { shape: z.ZodType; doc: string; secret?: true }>;

type Settings = typeof settings;
type Raw = { [Name in keyof Settings]: z.output<Settings[Name]['shape']> };

/** The configuration, typed and whole. */
export type Config = Omit<Raw, 'PUBLIC_URL'> & { PUBLIC_URL: string };

/** What does not fit, one line a setting, in words for whoever starts the server. */
export class ConfigError extends Error {}

/**
 * Reads the configuration from an environment. An empty text counts as unset.
 * @throws ConfigError naming every setting that does not fit, without printing secrets.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const text = environment[name];
    const result = setting.shape.safeParse(text === '' ? undefined : text);
    if (result.success) values[name] = result.data;
    else
      problems.push(
        `${name}${'secret' in setting ? '' : `=${text}`}: ${result.error.issues.map((issue) => issue.message).join(', ')}. ${setting.doc}`,
      );
  }
  const config = values as Raw;
  if (config.NODE_ENV === 'production') {
    if (!config.SECRET) problems.push(`SECRET: must be set in production. ${settings.SECRET.doc}`);
    if (!config.PUBLIC_URL)
      problems.push(`PUBLIC_URL: must be set in production. ${settings.PUBLIC_URL.doc}`);
    if (!config.SMTP_URL) problems.push(`SMTP_URL: must be set in production. ${settings.SMTP_URL.doc}`);
    // Nobody must take the sandbox's answers for money by accident (ADR 0067).
    if (config.PAYMENT_PROVIDER === 'sandbox' && !config.PAYMENT_SANDBOX_IN_PRODUCTION)
      problems.push(
        'PAYMENT_PROVIDER=sandbox: moves no money, so production refuses it; set PAYMENT_SANDBOX_IN_PRODUCTION=true for a server on which nothing is paid.',
      );
  }
  // The development mailbox and the demo town's passwords are open to whoever can reach them.
  if (config.NODE_ENV !== 'production' && config.PUBLIC_URL && !isLoopback(config.PUBLIC_URL))
    problems.push(
      `PUBLIC_URL=${config.PUBLIC_URL}: an address that others reach needs NODE_ENV=production, because otherwise anybody may read all mail and use the demo accounts.`,
    );
  if (Boolean(config.VAPID_PUBLIC_KEY) !== Boolean(config.VAPID_PRIVATE_KEY))
    problems.push('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY: set both or neither.');
  if (config.FILES_S3_URL && !(config.FILES_S3_KEY && config.FILES_S3_SECRET))
    problems.push('FILES_S3_URL: needs FILES_S3_KEY and FILES_S3_SECRET beside it.');
  if (config.JOB_EXPIRY_WARNING_DAY >= config.JOB_LIFE_DAYS)
    problems.push('JOB_EXPIRY_WARNING_DAY: must be less than JOB_LIFE_DAYS.');
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return {
    ...config,
    PUBLIC_URL: (config.PUBLIC_URL ?? `http://localhost:${config.PORT}`).replace(/\/+$/, ''),
  };
}

/** What is allowed and yet worth a word at the start, for whoever started the server. */
export function configWarnings(
  config: Pick<Config, 'NODE_ENV' | 'HOST' | 'PUBLIC_URL' | 'TRUST_PROXY'>,
): string[] {
  const { NODE_ENV, HOST, PUBLIC_URL, TRUST_PROXY } = config;
  if (NODE_ENV === 'production') {
    if (PUBLIC_URL.startsWith('https:'))
      // We speak no TLS ourselves, so there is a proxy in front, and all calls come from its address.
      return TRUST_PROXY
        ? []
        : [
            'Warning: TRUST_PROXY is not set: everybody behind your proxy counts as one caller, and one of them can use up the sign-ins of all. Set it to the addresses of your proxy.',
          ];
    return isLoopback(PUBLIC_URL)
      ? []
      : [
          `Warning: PUBLIC_URL=${PUBLIC_URL} is not https: passwords and sessions travel so that others on the way can read them.`,
        ];
  }
  // Refusing would shut out a container, which listens on every address and is reached by none but its own machine.
  if (isLoopback(`http://${HOST.includes(':') ? `[${HOST}]` : HOST}`)) return [];
  return [
    `Warning: HOST=${HOST} may let other machines in, and NODE_ENV is ${NODE_ENV}: whoever reaches this server can read all mail it shows and use the demo accounts. Set NODE_ENV=production, or HOST=127.0.0.1 to keep it on this machine.`,
  ];
}
