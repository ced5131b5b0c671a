-- Works in a real, headless Neovim (0.7 and newer) as a person would, after the set-up of docs/editors was loaded.
-- Reads TASK (a JSON file: file, marked, hover, fixed), writes the checks to OUT.
local task = vim.fn.json_decode(table.concat(vim.fn.readfile(vim.env.TASK), '\n'))
local out = { checks = {} }

local function check(name, ok, detail)
  out.checks[#out.checks + 1] = { name = name, ok = ok and true or false, detail = detail and tostring(detail) or '' }
  return ok
end

local function wait(seconds, condition) return vim.wait(seconds * 1000, condition, 10) end

local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') end

local function main()
  vim.cmd('filetype on')
  vim.cmd('edit ' .. vim.fn.fnameescape(task.file))
  local clients = vim.lsp.get_clients or vim.lsp.buf_get_clients
  check('attached', wait(20, function() return next(clients()) ~= nil end))

  check('one diagnostic', wait(20, function() return #vim.diagnostic.get(0) == 1 end), vim.inspect(vim.diagnostic.get(0)))
  local d = vim.diagnostic.get(0)[1]
  local line = vim.api.nvim_buf_get_lines(0, d.lnum, d.lnum + 1, false)[1]
  check('on its characters', line:sub(d.col + 1, d.end_col) == task.marked, line:sub(d.col + 1, d.end_col))
  check('related information', #(d.user_data.lsp.relatedInformation or {}) > 1)
  vim.api.nvim_win_set_cursor(0, { d.lnum + 1, d.col })

  vim.lsp.buf.hover()
  local shown
  check('hover window', wait(10, function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        shown = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
        return true
      end
    end
  end))
  check('hover text', shown and shown:find(task.hover, 1, true), shown)

  if vim.lsp.inlay_hint then
    vim.lsp.inlay_hint.enable(true)
    check('inlay hint', wait(10, function() return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end))
  end
  if vim.lsp.codelens.refresh then
    vim.lsp.codelens.refresh()
    check('code lens', wait(10, function() return #vim.lsp.codelens.get(0) > 0 end))
  end

  local titles = {}
  vim.ui.select = function(items, options, choose)
    for _, item in ipairs(items) do titles[#titles + 1] = options.format_item and options.format_item(item) or '' end
    choose(items[1], 1)
  end
  vim.lsp.buf.code_action()
  check('fix applied', wait(10, function() return text():find(task.fixed, 1, true) end), vim.inspect(titles) .. text())
  check('diagnostic gone', wait(10, function() return #vim.diagnostic.get(0) == 0 end))
  vim.cmd('silent undo')
  check('undo brings it back', wait(10, function() return #vim.diagnostic.get(0) == 1 end))
  vim.cmd('silent redo')
  check('redo clears it', wait(10, function() return #vim.diagnostic.get(0) == 0 end))
  vim.cmd('silent write')
end

local ok, trouble = xpcall(main, debug.traceback)
if not ok then check('the script ran', false, trouble) end
local file = io.open(vim.env.OUT, 'w')
file:write(vim.fn.json_encode(out))
file:close()
vim.cmd('qall!')
