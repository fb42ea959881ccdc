import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeText, isBinary } from '../../../../mcp-server/src/git/encoding/decode-text.ts'
import { encodeLegacy } from '../../../support/encode-legacy.ts'
import { runs } from '../../../support/runs.ts'

const JAPANESE = '# 設計の方針\n\n検索は語の一致だけでも役に立つこと。エラー処理も参照。\n'

describe('text of a file', () => {
  const legacy: Readonly<Record<string, readonly string[]>> = {
    shift_jis: [JAPANESE, '変更履歴を検索する', '// 初期化', '価格表'],
    'euc-jp': [JAPANESE, 'データベースの移行について', 'エラー処理'],
    'iso-2022-jp': [JAPANESE, '設計'],
    gbk: ['# 设计文档\n\n这是一个中文文档，用来测试编码检测。\n', '错误处理'],
    big5: ['這是一個中文文件，用來測試編碼偵測。資料庫移轉說明。', '錯誤處理'],
    'euc-kr': ['한국어 문서입니다. 검색할 수 있어야 합니다.', '설계 방침'],
    'windows-1252': ['café', 'Größe ändern', 'naïve “quotes” — dash', 'temps déjà passé', 'El niño añadió una canción'],
    'windows-1251': ['Документация проекта', 'Привет'],
    'koi8-r': ['Ошибка при запуске сервера исправлена'],
    'iso-8859-2': ['Zażółć gęślą jaźń, dokumentacja projektu'],
    'windows-1253': ['Ελληνικά κείμενα'],
  }

  test.each(Object.entries(legacy))('in %s is guessed', (encoding, texts) => {
    expect(texts.map((text) => decodeText(encodeLegacy(text, encoding)))).toEqual(texts)
  })

  test('in UTF-16 is recognised by its byte order mark, which is no part of the text', () => {
    const little = Buffer.from(`\ufeff${JAPANESE}`, 'utf16le')
    expect(decodeText(little)).toBe(JAPANESE)
    expect(decodeText(Buffer.from(little).swap16())).toBe(JAPANESE)
    expect(decodeText(Buffer.from(`\ufeff${JAPANESE}`))).toBe(JAPANESE)
    expect([little, Buffer.from('\ufeffa', 'utf16le')].map((bytes) => isBinary(bytes))).toEqual([false, false])
  })

  test('is read as its encoding is declared', () => {
    const short = '初期化'
    expect(decodeText(encodeLegacy(short, 'euc-jp'), 'EUC-JP')).toBe(short)
    expect(decodeText(encodeLegacy(short, 'euc-jp'), 'eucJP')).toBe(short)
    expect(decodeText(encodeLegacy('żółw', 'iso-8859-2'), 'latin2')).toBe('żółw')
    expect(decodeText(encodeLegacy(short, 'shift_jis'), 'cp932')).toBe(short)
    expect(decodeText(Buffer.from(`${short}\n`, 'utf16le'), 'UTF-16LE')).toBe(`${short}\n`)
    expect(decodeText(Buffer.from(`${short}\n`, 'utf16le').swap16(), 'utf-16be')).toBe(`${short}\n`)
    expect(isBinary(Buffer.from(`${short} a`, 'utf16le'), 'UTF-16LE')).toBe(false)
  })

  test('stays UTF-8 in spite of another declaration', () => {
    for (const declared of ['UTF-16', 'Shift_JIS', 'ISO-8859-1', 'nonsense', '']) {
      expect(decodeText(Buffer.from(JAPANESE), declared)).toBe(JAPANESE)
    }
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodeText(Buffer.from(text))).toBe(text.replace(/^\ufeff/, ''))
      }),
      { numRuns: runs(200) },
    )
  })

  test('in two encodings has each line in its own, as in a patch that converts a file', () => {
    const lines = [
      Buffer.from('@@ -1 +1 @@\n-'),
      encodeLegacy('検索の説明を書いた', 'shift_jis'),
      Buffer.from('\n+検索の説明を書いた\n'),
    ]
    expect(decodeText(Buffer.concat(lines))).toBe('@@ -1 +1 @@\n-検索の説明を書いた\n+検索の説明を書いた\n')
  })

  test('keeps a line of UTF-8 that was cut within a character', () => {
    const line = Buffer.from(`@@ -1,7 +1,7 @@ ${'見出し'.repeat(8)}`)
    expect(decodeText(line.subarray(0, -1))).toBe(`${line.subarray(0, -3).toString()}\ufffd`)
    expect(decodeText(Buffer.concat([Buffer.from('日本語 '), Buffer.of(0xe9), Buffer.from(' です')]))).toBe(
      '日本語 \ufffd です',
    )
  })

  test('is replaced where no encoding explains it', () => {
    expect(decodeText(Buffer.of(0x61, 0x81, 0x01, 0x02, 0xff, 0x03))).toBe('a\ufffd\u0001\u0002\ufffd\u0003')
  })
})

test('a file with a NUL is binary, unless it is UTF-16', () => {
  expect(isBinary(Buffer.from('a\0b'))).toBe(true)
  expect(isBinary(Buffer.from('a\0b'), 'Shift_JIS')).toBe(true)
  expect(isBinary(Buffer.from('ab'))).toBe(false)
  expect(isBinary(Buffer.alloc(0))).toBe(false)
  expect(isBinary(Buffer.concat([Buffer.alloc(9_000, 0x61), Buffer.of(0)]))).toBe(false)
})
