import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { readGitHubSettings } from '../../../src/contracts/settings/read-github-settings.ts'
import { readSettings } from '../../../src/contracts/settings/read-settings.ts'
import type { SettingTexts } from '../../../src/contracts/settings/setting-texts.ts'
import { SETTINGS } from '../../../src/contracts/settings/settings.ts'
import { makeAppKey, type AppKey } from '../../support/github/app-key.ts'
import { githubSettings } from '../../support/github/github-test-settings.ts'

let key: AppKey

beforeAll(async () => {
  key = await makeAppKey()
})

test('repositories are listed once each, in the order given, without regard to letter case', () => {
  const { repositories } = githubSettings({ GITHUB_REPOSITORIES: ' a/b ,c.d/e_f,, A/B,x-1/y ' })
  expect(repositories).toEqual(['A/B', 'c.d/e_f', 'x-1/y'])
})

test('a token is used where no App is set, without the line break of its file', () => {
  expect(githubSettings({ GITHUB_TOKEN: 'github_pat_1\n' }).credential).toEqual({
    kind: 'token',
    token: 'github_pat_1',
  })
})

test('an App goes before a token, and a key alone is no App', () => {
  const app = { GITHUB_TOKEN: 't', GITHUB_APP_ID: '123', GITHUB_APP_PRIVATE_KEY: key.pkcs8 }
  expect(githubSettings(app).credential).toEqual({ kind: 'app', appId: '123', privateKey: key.pkcs8 })
  expect(githubSettings({ ...app, GITHUB_APP_ID: '' }).credential).toEqual({ kind: 'token', token: 't' })
})

test('the key of an App is read in each form that people have it in', () => {
  const { pkcs1, pkcs8 } = key
  const oneLine = (text: string): string => text.trim().replaceAll('\n', '\\n')
  const forms = [pkcs1, pkcs8, oneLine(pkcs1), oneLine(pkcs8), pkcs1.replaceAll('\n', '\r\n'), `\n ${pkcs1.trim()}\n\n`]
  for (const form of forms) {
    const { credential } = githubSettings({ GITHUB_APP_ID: '1', GITHUB_APP_PRIVATE_KEY: form })
    expect(credential).toEqual({ kind: 'app', appId: '1', privateKey: pkcs8 })
  }
})

test.each([
  [
    'https://api.github.com',
    'https://api.github.com/graphql',
    'https://github.com',
    'https://raw.githubusercontent.com',
  ],
  ['https://git.example/api/v3', 'https://git.example/api/graphql', 'https://git.example', 'https://git.example/raw'],
  [
    'https://git.example:8443/api/v3/',
    'https://git.example:8443/api/graphql',
    'https://git.example:8443',
    'https://git.example:8443/raw',
  ],
  ['http://127.0.0.1:9/api/v3', 'http://127.0.0.1:9/api/graphql', 'http://127.0.0.1:9', 'http://127.0.0.1:9/raw'],
  ['http://localhost:9', 'http://localhost:9/graphql', 'http://localhost:9', 'http://localhost:9/raw'],
  ['https://api.team.ghe.com', 'https://api.team.ghe.com/graphql', 'https://team.ghe.com', 'https://team.ghe.com/raw'],
])('the other addresses follow from the API at %s', (api, graphql, server, raw) => {
  expect(githubSettings({ GITHUB_API_URL: api }).urls).toEqual({ api: api.replace(/\/$/, ''), graphql, server, raw })
})

test('each address can be set by itself', () => {
  const texts = {
    GITHUB_API_URL: 'http://127.0.0.1:1/api/v3',
    GITHUB_GRAPHQL_URL: 'http://127.0.0.1:2/g',
    GITHUB_SERVER_URL: 'http://[::1]:3/',
    GITHUB_RAW_URL: 'http://localhost:4/raw/',
  }
  expect(githubSettings(texts).urls).toEqual({
    api: 'http://127.0.0.1:1/api/v3',
    graphql: 'http://127.0.0.1:2/g',
    server: 'http://[::1]:3',
    raw: 'http://localhost:4/raw',
  })
})

test('the requests of a run can be as few as one', () => {
  expect(githubSettings({ GITHUB_REQUESTS_PER_RUN: '1' }).requestsPerRun).toBe(1)
})

test.each<[keyof SettingTexts, SettingTexts]>([
  ...['a', 'a/b/c', 'https://github.com/a/b', 'a/b;c/d', '../b', 'a/..'].map(
    (text): [keyof SettingTexts, SettingTexts] => ['GITHUB_REPOSITORIES', { GITHUB_REPOSITORIES: text }],
  ),
  ...['two words', 'line\nbreak', 'é', ' \n'].map((text): [keyof SettingTexts, SettingTexts] => [
    'GITHUB_TOKEN',
    { GITHUB_TOKEN: text },
  ]),
  ...['0', '-1', 'app', '1.5', '1e3'].map((text): [keyof SettingTexts, SettingTexts] => [
    'GITHUB_APP_ID',
    { GITHUB_APP_ID: text },
  ]),
  ['GITHUB_APP_PRIVATE_KEY', { GITHUB_APP_ID: '1' }],
  ['GITHUB_APP_PRIVATE_KEY', { GITHUB_APP_ID: '1', GITHUB_TOKEN: 't', GITHUB_APP_PRIVATE_KEY: '' }],
  ['GITHUB_APP_PRIVATE_KEY', { GITHUB_APP_ID: '1', GITHUB_APP_PRIVATE_KEY: '-----BEGIN RSA PRIVATE KEY-----' }],
  ['GITHUB_APP_PRIVATE_KEY', { GITHUB_APP_PRIVATE_KEY: 'secret-text' }],
  ...['GITHUB_API_URL', 'GITHUB_GRAPHQL_URL', 'GITHUB_SERVER_URL', 'GITHUB_RAW_URL'].flatMap((name) =>
    [
      'http://git.example',
      'http://127.0.0.1.example',
      'http://localhost.example',
      'ftp://127.0.0.1',
      'https://user:pass@git.example',
      'https://git.example?x=1',
      'https://git.example#x',
      'git.example',
    ].map((text): [keyof SettingTexts, SettingTexts] => [name as keyof SettingTexts, { [name]: text }]),
  ),
  ...['0', '-1', '1.5', 'many', '1e3', '99999999999999999999'].map((text): [keyof SettingTexts, SettingTexts] => [
    'GITHUB_REQUESTS_PER_RUN',
    { GITHUB_REQUESTS_PER_RUN: text },
  ]),
])('a wrong %s is refused by the sentence of its row, without its text: %j', (name, texts) => {
  const refusal = { ok: false, failure: { code: 'UNAVAILABLE', message: SETTINGS[name].whenWrong } }
  expect(readGitHubSettings(texts)).toEqual(refusal)
  expect(readSettings({ AUTH_MODE: 'local', ...texts })).toEqual(refusal)
  expect(SETTINGS[name].whenWrong).toMatch(new RegExp(`^${name} [^\\n]+\\.$`))
})

test('a key of another kind is refused', () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  expect(readGitHubSettings({ GITHUB_APP_ID: '1', GITHUB_APP_PRIVATE_KEY: pem })).toMatchObject({ ok: false })
})
