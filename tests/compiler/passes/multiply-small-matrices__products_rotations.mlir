// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<2500x3x3xf32>, %1: tensor<2x2500x3xf32>) -> (tensor<2500x2x3xf32>) {
    %2 = "stablehlo.dot_general"(%1, %0) <{lhs_batching_dimensions = array<i64: 1>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 2>}> : (tensor<2x2500x3xf32>, tensor<2500x3x3xf32>) -> (tensor<2500x2x3xf32>)
    "stablehlo.return"(%2) : (tensor<2500x2x3xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<2500x3x3xf32>, %1: tensor<2x2500x3xf32>) -> (tensor<2500x2x3xf32>) {
    %3 = "stablehlo.convert"(%1) : (tensor<2x2500x3xf32>) -> (tensor<2x2500x3xf32>)
    %4 = "stablehlo.transpose"(%3) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x2500x3xf32>) -> (tensor<2x3x2500xf32>)
    %5 = "stablehlo.reshape"(%4) : (tensor<2x3x2500xf32>) -> (tensor<2x3x2500xf32>)
    %6 = "stablehlo.convert"(%0) : (tensor<2500x3x3xf32>) -> (tensor<2500x3x3xf32>)
    %7 = "stablehlo.transpose"(%6) <{permutation = array<i64: 1, 2, 0>}> : (tensor<2500x3x3xf32>) -> (tensor<3x3x2500xf32>)
    %8 = "stablehlo.reshape"(%7) : (tensor<3x3x2500xf32>) -> (tensor<3x3x2500xf32>)
    %9 = "stablehlo.slice"(%5) <{limit_indices = array<i64: 2, 1, 2500>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x3x2500xf32>) -> (tensor<2x1x2500xf32>)
    %10 = "stablehlo.reshape"(%9) : (tensor<2x1x2500xf32>) -> (tensor<2x2500xf32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x2500xf32>) -> (tensor<2x3x2500xf32>)
    %12 = "stablehlo.slice"(%8) <{limit_indices = array<i64: 3, 1, 2500>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<3x3x2500xf32>) -> (tensor<3x1x2500xf32>)
    %13 = "stablehlo.reshape"(%12) : (tensor<3x1x2500xf32>) -> (tensor<3x2500xf32>)
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<3x2500xf32>) -> (tensor<2x3x2500xf32>)
    %15 = "stablehlo.multiply"(%11, %14) : (tensor<2x3x2500xf32>, tensor<2x3x2500xf32>) -> (tensor<2x3x2500xf32>)
    %16 = "stablehlo.slice"(%5) <{limit_indices = array<i64: 2, 2, 2500>, start_indices = array<i64: 0, 1, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x3x2500xf32>) -> (tensor<2x1x2500xf32>)
    %17 = "stablehlo.reshape"(%16) : (tensor<2x1x2500xf32>) -> (tensor<2x2500xf32>)
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x2500xf32>) -> (tensor<2x3x2500xf32>)
    %19 = "stablehlo.slice"(%8) <{limit_indices = array<i64: 3, 2, 2500>, start_indices = array<i64: 0, 1, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<3x3x2500xf32>) -> (tensor<3x1x2500xf32>)
    %20 = "stablehlo.reshape"(%19) : (tensor<3x1x2500xf32>) -> (tensor<3x2500xf32>)
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<3x2500xf32>) -> (tensor<2x3x2500xf32>)
    %22 = "stablehlo.multiply"(%18, %21) : (tensor<2x3x2500xf32>, tensor<2x3x2500xf32>) -> (tensor<2x3x2500xf32>)
    %23 = "stablehlo.add"(%15, %22) : (tensor<2x3x2500xf32>, tensor<2x3x2500xf32>) -> (tensor<2x3x2500xf32>)
    %24 = "stablehlo.slice"(%5) <{limit_indices = array<i64: 2, 3, 2500>, start_indices = array<i64: 0, 2, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x3x2500xf32>) -> (tensor<2x1x2500xf32>)
    %25 = "stablehlo.reshape"(%24) : (tensor<2x1x2500xf32>) -> (tensor<2x2500xf32>)
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x2500xf32>) -> (tensor<2x3x2500xf32>)
    %27 = "stablehlo.slice"(%8) <{limit_indices = array<i64: 3, 3, 2500>, start_indices = array<i64: 0, 2, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<3x3x2500xf32>) -> (tensor<3x1x2500xf32>)
    %28 = "stablehlo.reshape"(%27) : (tensor<3x1x2500xf32>) -> (tensor<3x2500xf32>)
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<3x2500xf32>) -> (tensor<2x3x2500xf32>)
    %30 = "stablehlo.multiply"(%26, %29) : (tensor<2x3x2500xf32>, tensor<2x3x2500xf32>) -> (tensor<2x3x2500xf32>)
    %31 = "stablehlo.add"(%23, %30) : (tensor<2x3x2500xf32>, tensor<2x3x2500xf32>) -> (tensor<2x3x2500xf32>)
    %32 = "stablehlo.convert"(%31) : (tensor<2x3x2500xf32>) -> (tensor<2x3x2500xf32>)
    %33 = "stablehlo.reshape"(%32) : (tensor<2x3x2500xf32>) -> (tensor<2x3x2500xf32>)
    %2 = "stablehlo.transpose"(%33) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x3x2500xf32>) -> (tensor<2500x2x3xf32>)
    "stablehlo.return"(%2) : (tensor<2500x2x3xf32>) -> ()
  }
}
