;;; lsp_mode.el --- a training file in Emacs with lsp-mode  -*- lexical-binding: t -*-
(load (expand-file-name "driver.el" (file-name-directory load-file-name)) nil t)
(setq lsp-session-file (expand-file-name "~/.lsp-session") lsp-auto-guess-root t lsp-restart 'ignore
      lsp-enable-suggest-server-download nil lsp-keep-workspace-alive nil lsp-idle-delay 0.05
      lsp-client-packages nil lsp-diagnostics-provider :flymake lsp-modeline-code-actions-enable nil
      lsp-headerline-breadcrumb-enable nil lsp-enable-file-watchers nil make-backup-files nil)
(require 'lsp-mode)
(require 'lsp-diagnostics nil t)
(require 'lsp-lens nil t)

(defun diagnostics () (gethash (buffer-file-name) (lsp-diagnostics t)))

(defun ready-p ()
  (and lsp-mode (lsp-workspaces) (eq 'initialized (lsp--workspace-status (car (lsp-workspaces))))))

(defun main ()
  (lsp-workspace-folders-add (directory-file-name (file-name-directory (task 'file))))
  (find-file (task 'file))
  (python-mode)
  (lsp)
  (check "connected" (wait-for 20 (ready-p)))
  (check "one diagnostic" (= 1 (length (wait-for 20 (diagnostics)))) (diagnostics))
  (let* ((found (car (diagnostics)))
         (range (lsp--range-to-region (lsp:diagnostic-range found)))
         (marked (buffer-substring-no-properties (car range) (cdr range))))
    (check "on its characters" (equal marked (task 'marked)) marked)
    (check "related information" (lsp:diagnostic-related-information? found))
    (goto-char (car range)))
  (let ((hover (lsp-request "textDocument/hover" (lsp--text-document-position-params))))
    (check "hover" (and hover (string-match-p (regexp-quote (task 'hover))
                                              (lsp--render-on-hover-content (lsp:hover-contents hover) t)))
           hover))
  (check "code lens" (> (length (lsp-request "textDocument/codeLens"
                                             `(:textDocument ,(lsp--text-document-identifier)))) 0))
  (lsp-execute-code-action (car (append (lsp-code-actions-at-point) nil)))
  (check "fix applied" (wait-for 10 (holds-p (task 'fixed))) (buffer-string))
  (check "diagnostic gone" (wait-for 10 (null (diagnostics))))
  (save-buffer))

(run-driver #'main)
