// tolerance: 1e-05
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
module @module {
  func.func public @main(%0: tensor<40x130xbf16>, %1: tensor<130x50xbf16>) -> (tensor<40x50xf32>) {
    %2 = "stablehlo.convert"(%0) : (tensor<40x130xbf16>) -> (tensor<40x130xf32>)
    %3 = "stablehlo.convert"(%1) : (tensor<130x50xbf16>) -> (tensor<130x50xf32>)
    %4 = "stablehlo.dot_general"(%2, %3) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<40x130xf32>, tensor<130x50xf32>) -> (tensor<40x50xf32>)
    "stablehlo.return"(%4) : (tensor<40x50xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<40x130xbf16>, %1: tensor<130x50xbf16>) -> (tensor<40x50xf32>) {
    %2 = "stablehlo.convert"(%0) : (tensor<40x130xbf16>) -> (tensor<40x130xf32>)
    %3 = "stablehlo.convert"(%1) : (tensor<130x50xbf16>) -> (tensor<130x50xf32>)
    %4 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<40x130xbf16>, tensor<130x50xbf16>) -> (tensor<40x50xf32>)
    "stablehlo.return"(%4) : (tensor<40x50xf32>) -> ()
  }
}
