import { beforeAll, describe, expect, test } from 'vitest'
import { ask, hits, put } from '../../support/search-world.ts'

/** One issue for each text; every question below must find its issue first. */
const CASES: readonly (readonly [text: string, questions: readonly string[]])[] = [
  ['通知メールが二重に届く不具合を直した', ['通知メール', '二重', '不具合', 'メールが届く']],
  ['データベースのサーバーを再起動する手順', ['データベース', 'サーバ', 'サーバー', '再起動 手順', 'ﾃﾞｰﾀﾍﾞｰｽ']],
  ['利用者が画像を添付できるようにする', ['画像', '添付', '利用者', '画像を添付する']],
  ['비밀번호를 잊어버렸을 때 이메일을 보냅니다', ['비밀번호', '이메일', '비밀번호를 잊어버렸을 때']],
  ['서버가 느려서 화면이 멈췄습니다', ['서버', '화면', '서버가 느려서']],
  ['결제 오류가 발생하면 환불합니다', ['결제', '환불', '오류', '결제 오류']],
  ['ระบบแจ้งเตือนไม่ทำงานในมือถือ', ['แจ้งเตือน', 'มือถือ', 'ระบบแจ้งเตือน']],
  ['รหัสผ่านหมดอายุแล้วต้องตั้งใหม่', ['รหัสผ่าน', 'หมดอายุ']],
  ['Ship it 🚀 before the weekend', ['🚀', 'ship 🚀']],
  ['The build turned red 🔥 and the flag 🇹🇭 vanished', ['🔥', '🇹🇭']],
  [
    'parseUserToken drops the suffix',
    ['parseUserToken', 'parse_user_token', 'parse-user-token', 'ParseUserToken', 'parse user token'],
  ],
  [
    'max_retry_count is ignored',
    ['max_retry_count', 'maxRetryCount', 'max-retry-count', 'MAX_RETRY_COUNT', 'max retry count'],
  ],
  ['--dry-run-only prints nothing', ['--dry-run-only', 'dryRunOnly', 'dry_run_only', 'DryRunOnly', 'dry run only']],
  [
    'LazyImageLoader leaks',
    ['LazyImageLoader', 'lazyImageLoader', 'lazy_image_loader', 'lazy-image-loader', 'lazy image loader'],
  ],
  [
    'OPEN_FILE_LIMIT is too low',
    ['OPEN_FILE_LIMIT', 'openFileLimit', 'open_file_limit', 'open-file-limit', 'open file limit'],
  ],
  ['calls http.Server.listen twice', ['http.Server.listen', 'Server.listen', 'server listen']],
  ['Ελληνικά και Ωμέγα', ['ΩΜΕΓΑ', 'ωμεγα']],
  ['Ошибка авторизации', ['авторизации', 'ОШИБКА']],
]

beforeAll(async () => {
  await put(
    CASES.map(([body], at) => ({ type: 'issue', number: at + 1, title: `Case ${at + 1}`, body, state: 'open' })),
  )
})

describe('the first hit', () => {
  const questions = CASES.flatMap(([text, some], at) => some.map((question) => [question, text, at + 1] as const))
  test.each(questions)('the query %s finds the text %s first', async (question, _, number) => {
    expect(hits(await ask({ query: question }))[0]).toBe(`issue#${number}`)
  })
})
