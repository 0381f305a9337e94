import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawIcons } from './icons.mjs';
import { all, readPlist, readXml } from './read-xml.ts';
import { productHost, readServer, webVariables } from './server.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const json = (file: string) => JSON.parse(read(file));
const android = (file: string) => read(`apps/mobile/android/${file}`);
const ios = (file: string) => read(`apps/mobile/ios/${file}`);

const packages = json('apps/mobile/package.json') as {
  version: string;
  dependencies: Record<string, string>;
};
const config = json('apps/mobile/capacitor.config.json') as { appId: string; appName: string };
const plugins = Object.keys(packages.dependencies).filter(
  (name) => !/^@capacitor\/(android|cli|core|ios)$/.test(name),
);

describe('packages of the apps', () => {
  it('have exact versions, and the same as in the web app', () => {
    const web = json('apps/web/package.json').dependencies as Record<string, string>;
    for (const [name, version] of Object.entries(packages.dependencies)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
      if (web[name]) expect(web[name], name).toBe(version);
    }
    expect(Object.keys(web).filter((name) => name.startsWith('@capacitor/'))).not.toEqual([]);
    const platforms = ['android', 'cli', 'core', 'ios'].map(
      (one) => packages.dependencies[`@capacitor/${one}`],
    );
    expect(new Set(platforms).size).toBe(1);
  });

  it('are not installed with the project, and their lock names no registry', () => {
    const workspaces = json('package.json').workspaces as string[];
    expect(workspaces).not.toContain('apps/*');
    expect(workspaces).not.toContain('apps/mobile');
    expect(read('package-lock.json')).not.toContain('@capacitor/android');
    expect(read('Dockerfile')).not.toContain('mobile');
    expect(read('apps/mobile/package-lock.json')).not.toMatch(/"resolved"/);
  });

  it("are in both projects, under Capacitor's names", () => {
    const flat = (name: string) => name.replace('@', '').replace('/', '-');
    for (const name of plugins) {
      expect(android('capacitor.settings.gradle')).toContain(`':${flat(name)}'`);
      expect(android('app/capacitor.build.gradle')).toContain(`project(':${flat(name)}')`);
      expect(ios('App/CapApp-SPM/Package.swift')).toContain(`node_modules/${name}"`);
    }
    expect(ios('App/CapApp-SPM/Package.swift').match(/node_modules/g)).toHaveLength(plugins.length);
    expect(ios('App/CapApp-SPM/Package.swift')).toContain(
      `exact: "${packages.dependencies['@capacitor/core']}"`,
    );
  });
});

describe('names and versions', () => {
  it('agree everywhere', () => {
    const gradle = android('app/build.gradle');
    expect(gradle).toContain(`namespace = "${config.appId}"`);
    expect(gradle).toContain(`applicationId "${config.appId}"`);
    expect(gradle).toContain(`versionName "${packages.version}"`);
    const project = ios('App/App.xcodeproj/project.pbxproj');
    expect(valuesOf(project, 'PRODUCT_BUNDLE_IDENTIFIER')).toEqual([config.appId, config.appId]);
    expect(valuesOf(project, 'MARKETING_VERSION')).toEqual([packages.version, packages.version]);
    expect(packages.version).toBe(json('package.json').version);
    const folder = config.appId.replaceAll('.', '/');
    expect(android(`app/src/main/java/${folder}/MainActivity.java`)).toContain(`package ${config.appId};`);
    expect(read('.github/workflows/mobile.yml')).toContain(`<key>${config.appId}</key>`);
    const strings = all(readXml(android('app/src/main/res/values/strings.xml')), 'string');
    const named = Object.fromEntries(strings.map(({ attributes, text }) => [attributes.name, text]));
    expect(named).toMatchObject({
      app_name: config.appName,
      package_name: config.appId,
      custom_url_scheme: 'nearhand',
    });
    expect(info.CFBundleDisplayName).toBe(config.appName);
  });

  it('require Android 8 and iOS 15, and build for Android 16', () => {
    expect(android('variables.gradle')).toMatch(
      /minSdkVersion = 26\s+compileSdkVersion = 36\s+targetSdkVersion = 36/,
    );
    expect(new Set(valuesOf(ios('App/App.xcodeproj/project.pbxproj'), 'IPHONEOS_DEPLOYMENT_TARGET'))).toEqual(
      new Set(['15.0']),
    );
  });
});

/** Gradle's name for the server's host. */
const hostOfBuild = `$\{serverHost}`;

describe('the Android manifest', () => {
  const manifest = readXml(android('app/src/main/AndroidManifest.xml'));
  const [application] = all(manifest, 'application');
  const names = (element: string) =>
    all(manifest, element).map(({ attributes }) =>
      attributes['android:name']?.replace('android.permission.', ''),
    );

  it('requests only these permissions', () => {
    expect(names('uses-permission')).toEqual([
      'INTERNET',
      'ACCESS_COARSE_LOCATION',
      'ACCESS_FINE_LOCATION',
      'CAMERA',
      'POST_NOTIFICATIONS',
    ]);
    const guide = read('docs/mobile.md');
    for (const name of names('uses-permission')) expect(guide, name).toContain(`\`${name}\``);
    for (const { attributes } of all(manifest, 'uses-feature'))
      expect(attributes['android:required']).toBe('false');
  });

  it('can find the camera app, which file inputs with `capture` open', () => {
    const found = all(manifest, 'queries').flatMap((queries) => all(queries, 'action'));
    expect(found.map(({ attributes }) => attributes['android:name'])).toEqual([
      'android.media.action.IMAGE_CAPTURE',
    ]);
  });

  it('keeps data on the phone, uses https only, and goes back like Android', () => {
    expect(application?.attributes).toMatchObject({
      'android:allowBackup': 'false',
      'android:usesCleartextTraffic': 'false',
      'android:enableOnBackInvokedCallback': 'true',
      'android:supportsRtl': 'true',
    });
  });

  it('opens links of the server, of the product and of its own scheme', () => {
    const opened = all(manifest, 'intent-filter')
      .filter((filter) =>
        all(filter, 'action').some((one) => one.attributes['android:name']?.endsWith('.VIEW')),
      )
      .map((filter) => ({
        verified: filter.attributes['android:autoVerify'] === 'true',
        data: all(filter, 'data').flatMap(({ attributes }) => Object.values(attributes)),
      }));
    expect(opened).toEqual([
      { verified: true, data: ['https', hostOfBuild, productHost] },
      { verified: false, data: ['@string/custom_url_scheme'] },
    ]);
    expect(android('app/build.gradle')).toContain(
      `manifestPlaceholders = [serverHost: server.getProperty('host', '${productHost}')]`,
    );
    for (const name of ['exported', 'launchMode'])
      expect(all(manifest, 'activity')[0]?.attributes[`android:${name}`]).toMatch(/true|singleTask/);
  });

  it('references existing resources', () => {
    const res = 'apps/mobile/android/app/src/main/res';
    const files = globSync('**/*.xml', { cwd: path.join(root, res) }).map((file) =>
      file.replaceAll('\\', '/'),
    );
    const declared = new Set(
      files.flatMap((file) => {
        const [folder = '', name = ''] = file.split('/');
        const kind = folder.split('-')[0] ?? '';
        if (kind !== 'values') return [`${kind}/${name.replace('.xml', '')}`];
        return all(readXml(read(`${res}/${file}`)), 'color')
          .concat(
            all(readXml(read(`${res}/${file}`)), 'string'),
            all(readXml(read(`${res}/${file}`)), 'style'),
          )
          .map((one) => `${one.name}/${one.attributes.name}`);
      }),
    );
    const used = ['AndroidManifest.xml', ...files.map((file) => `res/${file}`)].flatMap((file) =>
      [...android(`app/src/main/${file}`).matchAll(/"@(\w+\/[\w.]+)"|>@(\w+\/[\w.]+)</g)].map(
        ([, a, b]) => a ?? b,
      ),
    );
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((name) => !declared.has(name ?? ''))).toEqual([]);
  });
});

const info = readPlist(ios('App/App/Info.plist')) as Record<string, unknown>;

describe('the iOS project', () => {
  const project = ios('App/App.xcodeproj/project.pbxproj');

  it('gives a reason for each permission, in every language', () => {
    const asked = Object.keys(info).filter((key) => key.endsWith('UsageDescription'));
    expect(asked).toEqual([
      'NSCameraUsageDescription',
      'NSFaceIDUsageDescription',
      'NSLocationWhenInUseUsageDescription',
    ]);
    const reasons = JSON.parse(ios('App/App/InfoPlist.xcstrings')) as {
      strings: Record<string, { localizations: Record<string, { stringUnit: { value: string } }> }>;
    };
    expect(Object.keys(reasons.strings)).toEqual(asked);
    for (const key of asked) {
      const { localizations = {} } = reasons.strings[key] ?? {};
      expect(Object.keys(localizations).sort()).toEqual(['ar', 'de', 'en', 'es', 'fr', 'nl']);
      expect(localizations.en?.stringUnit.value).toBe(info[key]);
      const texts = Object.values(localizations).map(({ stringUnit }) => stringUnit.value);
      expect(new Set(texts).size).toBe(6);
      for (const language of Object.keys(localizations))
        expect(project).toMatch(new RegExp(`^\\t+${language},$`, 'm'));
    }
  });

  it('opens the same links as Android', () => {
    expect(info.CFBundleURLTypes).toMatchObject([{ CFBundleURLSchemes: ['nearhand'] }]);
    const entitlements = readPlist(ios('App/App/App.entitlements'));
    expect(entitlements).toEqual({
      'aps-environment': '$(APS_ENVIRONMENT)',
      'com.apple.developer.associated-domains': ['applinks:$(NEARHAND_HOST)', `applinks:${productHost}`],
    });
    expect(valuesOf(project, 'CODE_SIGN_ENTITLEMENTS')).toEqual([
      'App/App.entitlements',
      'App/App.entitlements',
    ]);
    // The last line wins.
    expect(ios('server.xcconfig').trimEnd().split('\n').at(-1)).toBe('#include? "server.local.xcconfig"');
    expect(ios('server.xcconfig')).toContain(`\nNEARHAND_HOST = ${productHost}\n`);
    expect(ios('debug.xcconfig')).toContain('#include "server.xcconfig"');
  });

  it('forwards push tokens to the plugin and swipes back', () => {
    for (const event of ['DidRegister', 'DidFailToRegister'])
      expect(ios('App/App/AppDelegate.swift')).toContain(`.capacitor${event}ForRemoteNotifications`);
    expect(ios('App/App/SceneDelegate.swift')).toContain('allowsBackForwardNavigationGestures = true');
  });

  it('has a packaged privacy manifest without tracking', () => {
    const manifest = readPlist(ios('App/App/PrivacyInfo.xcprivacy')) as Record<string, unknown>;
    expect(manifest).toMatchObject({ NSPrivacyTracking: false, NSPrivacyTrackingDomains: [] });
    const collected = manifest.NSPrivacyCollectedDataTypes as Record<string, unknown>[];
    const types = collected.map(({ NSPrivacyCollectedDataType: type }) => String(type));
    expect(types.map((type) => type.replace('NSPrivacyCollectedDataType', '')).sort()).toEqual([
      'CoarseLocation',
      'CustomerSupport',
      'DeviceID',
      'EmailAddress',
      'EmailsOrTextMessages',
      'Name',
      'OtherFinancialInfo',
      'OtherUserContactInfo',
      'OtherUserContent',
      'PaymentInfo',
      'PhoneNumber',
      'PhotosorVideos',
      'PhysicalAddress',
      'PreciseLocation',
      // Notices that were opened, and votes on help articles.
      'ProductInteraction',
      // Saved searches.
      'SearchHistory',
      'UserID',
    ]);
    for (const data of collected) {
      expect(data.NSPrivacyCollectedDataTypeTracking).toBe(false);
      expect(data.NSPrivacyCollectedDataTypePurposes).toEqual([
        'NSPrivacyCollectedDataTypePurposeAppFunctionality',
      ]);
    }
    for (const file of ['PrivacyInfo.xcprivacy', 'InfoPlist.xcstrings'])
      expect(project.match(new RegExp(`${file.replace('.', '\\.')} in Resources`, 'g'))).toHaveLength(2);
  });

  it('names no missing file in the project', () => {
    const made = new Set(['capacitor.config.json', 'config.xml', 'public', 'App.app']);
    const named = [...project.matchAll(/isa = PBXFileReference;.* path = "?([^;"]+)"?;/g)].map(
      ([, file = '']) => file,
    );
    expect(named.length).toBeGreaterThan(8);
    const missing = named.filter(
      (file) =>
        !made.has(file) &&
        !['App/App', 'App'].some((folder) => existsSync(path.join(root, 'apps/mobile/ios', folder, file))),
    );
    expect(missing).toEqual([]);
  });
});

const valuesOf = (project: string, key: string): string[] =>
  [...project.matchAll(new RegExp(`${key} = "?([^;"]+)"?;`, 'g'))].map(([, value = '']) => value);

describe('icons and splash screens', () => {
  it('match the drawn mark', async () => {
    for (const [file, drawn] of Object.entries(await drawIcons())) {
      expect(existsSync(path.join(root, file)), file).toBe(true);
      // Two systems may compress a picture differently; its pixels are the same.
      if (typeof drawn === 'string') expect(read(file), file).toBe(drawn);
      else expect(await pixels(path.join(root, file)), file).toEqual(await pixels(drawn as Buffer));
    }
  });

  it('has no transparency for the App Store', async () => {
    const icon = 'apps/mobile/ios/App/App/Assets.xcassets/AppIcon.appiconset/AppIcon.png';
    const { width, height, hasAlpha } = await sharp(path.join(root, icon)).metadata();
    expect({ width, height, hasAlpha }).toEqual({ width: 1024, height: 1024, hasAlpha: false });
  });
});

/** A picture reduced to 16 by 16 dots in steps of 16 shades. */
async function pixels(picture: string | Buffer): Promise<number[]> {
  const raw = await sharp(picture).ensureAlpha().resize(16, 16).raw().toBuffer();
  return [...raw].map((value) => Math.round(value / 16));
}

describe('the server of an app', () => {
  it('must be an https address without a path', () => {
    expect(readServer('https://jobs.example.org')).toEqual({
      origin: 'https://jobs.example.org',
      host: 'jobs.example.org',
      links: ['jobs.example.org', productHost],
    });
    expect(readServer('https://nearhand.com/').links).toEqual([productHost]);
    for (const wrong of [undefined, '', 'jobs.example.org', 'http://jobs.example.org', 'https://a.example/b'])
      expect(() => readServer(wrong)).toThrow('NEARHAND_SERVER');
  });

  it('is built into the web app, with push on Android only if Firebase is set up', () => {
    const mobile = mkdtempSync(path.join(tmpdir(), 'nearhand-mobile-'));
    try {
      const server = readServer('https://jobs.example.org');
      const hosts = { VITE_SERVER: server.origin, VITE_APP_HOSTS: `jobs.example.org,${productHost}` };
      expect(webVariables(server, mobile)).toEqual({ ...hosts, VITE_ANDROID_PUSH: '' });
      mkdirSync(path.join(mobile, 'android/app'), { recursive: true });
      writeFileSync(path.join(mobile, 'android/app/google-services.json'), '{}');
      expect(webVariables(server, mobile)).toEqual({ ...hosts, VITE_ANDROID_PUSH: 'true' });
    } finally {
      rmSync(mobile, { recursive: true, force: true });
    }
    // The workflow must write the file before it syncs.
    const [, job = ''] = read('.github/workflows/mobile.yml').split('\n  android:\n');
    const written = job.indexOf('> apps/mobile/android/app/google-services.json');
    expect(written).toBeGreaterThan(0);
    expect(job.indexOf('npm run mobile -- sync')).toBeGreaterThan(written);
  });
});
