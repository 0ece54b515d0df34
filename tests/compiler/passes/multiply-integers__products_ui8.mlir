// tolerance: 0
// in: draw 1 0 1 256
// in: draw 2 0 1 256
module @module {
  func.func public @main(%0: tensor<12x40xui8>, %1: tensor<40x10xui8>) -> (tensor<12x10xi32>) {
    %2 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<12x40xui8>, tensor<40x10xui8>) -> (tensor<12x10xi32>)
    "stablehlo.return"(%2) : (tensor<12x10xi32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<12x40xui8>, %1: tensor<40x10xui8>) -> (tensor<12x10xi32>) {
    %3 = "stablehlo.convert"(%1) : (tensor<40x10xui8>) -> (tensor<40x10xbf16>)
    %4 = "stablehlo.convert"(%0) : (tensor<12x40xui8>) -> (tensor<12x40xbf16>)
    %5 = "stablehlo.dot_general"(%4, %3) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<12x40xbf16>, tensor<40x10xbf16>) -> (tensor<12x10xf32>)
    %2 = "stablehlo.composite"(%5) <{name = "trainyard.whole"}> : (tensor<12x10xf32>) -> (tensor<12x10xi32>)
    "stablehlo.return"(%2) : (tensor<12x10xi32>) -> ()
  }
}
