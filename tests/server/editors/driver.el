;;; driver.el --- what the drivers of eglot and lsp-mode share  -*- lexical-binding: t -*-
;; Reads TASK (a JSON file: file, marked, hover, fixed, setup), writes the checks to OUT.
(when (< emacs-major-version 29)
  (dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*")) (add-to-list 'load-path folder)))
(require 'cl-lib) (require 'json) (require 'python) (require 'flymake)

(defvar task (let ((json-object-type 'alist)) (json-read-file (getenv "TASK"))))
(defvar checks nil)
(defvar last-nonmenu-event)

(defun task (key) (alist-get key task))

(defun check (name ok &optional detail)
  (push `((name . ,name) (ok . ,(if ok t :json-false)) (detail . ,(format "%s" detail))) checks)
  ok)

(defmacro wait-for (seconds form)
  "Let timers and processes run until FORM is true, at most SECONDS."
  `(let ((start (float-time)) value)
     (while (and (not (setq value ,form)) (< (- (float-time) start) ,seconds))
       (accept-process-output nil 0.01)
       (sit-for 0.01))
     value))

(defun holds-p (part) (string-match-p (regexp-quote part) (buffer-string)))

(defun run-driver (main)
  "Run MAIN after the set-up, write down what it checked, and leave."
  (condition-case trouble
      (progn (load (task 'setup) nil t) (funcall main))
    (error (check "the script ran" nil trouble)))
  (with-temp-file (getenv "OUT")
    (insert (json-encode `((version . ,emacs-version) (checks . ,(vconcat (reverse checks)))))))
  (kill-emacs 0))
