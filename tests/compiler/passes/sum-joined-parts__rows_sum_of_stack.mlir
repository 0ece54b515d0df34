// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<40x64xf32>, %1: tensor<3x64xf32>) -> (tensor<40x64xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %19 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %20 = "stablehlo.pad"(%0, %19) <{edge_padding_high = array<i64: 0, 0>, edge_padding_low = array<i64: 2, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<40x64xf32>, tensor<f32>) -> (tensor<42x64xf32>)
    %4 = "stablehlo.slice"(%20) <{limit_indices = array<i64: 40, 64>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<42x64xf32>) -> (tensor<40x64xf32>)
    %5 = "stablehlo.slice"(%20) <{limit_indices = array<i64: 41, 64>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}> : (tensor<42x64xf32>) -> (tensor<40x64xf32>)
    %6 = "stablehlo.slice"(%20) <{limit_indices = array<i64: 42, 64>, start_indices = array<i64: 2, 0>, strides = array<i64: 1, 1>}> : (tensor<42x64xf32>) -> (tensor<40x64xf32>)
    %7 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<40x64xf32>) -> (tensor<40x1x64xf32>)
    %8 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<40x64xf32>) -> (tensor<40x1x64xf32>)
    %9 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<40x64xf32>) -> (tensor<40x1x64xf32>)
    %10 = "stablehlo.concatenate"(%7, %8, %9) <{dimension = 1 : i64}> : (tensor<40x1x64xf32>, tensor<40x1x64xf32>, tensor<40x1x64xf32>) -> (tensor<40x3x64xf32>)
    %11 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<3x64xf32>) -> (tensor<1x3x64xf32>)
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x3x64xf32>) -> (tensor<40x3x64xf32>)
    %13 = "stablehlo.multiply"(%10, %12) : (tensor<40x3x64xf32>, tensor<40x3x64xf32>) -> (tensor<40x3x64xf32>)
    %14 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %15 = "stablehlo.reduce"(%13, %14) <{dimensions = array<i64: 1>}> ({
    ^bb0(%16: tensor<f32>, %17: tensor<f32>):
      %18 = "stablehlo.add"(%16, %17) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%18) : (tensor<f32>) -> ()
    }) : (tensor<40x3x64xf32>, tensor<f32>) -> (tensor<40x64xf32>)
    "stablehlo.return"(%15) : (tensor<40x64xf32>) -> ()
  }
  func.func private @_pad(%0: tensor<40x64xf32>, %1: tensor<i32>) -> (tensor<42x64xf32>) {
    %2 = "stablehlo.convert"(%1) : (tensor<i32>) -> (tensor<f32>)
    %3 = "stablehlo.pad"(%0, %2) <{edge_padding_high = array<i64: 0, 0>, edge_padding_low = array<i64: 2, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<40x64xf32>, tensor<f32>) -> (tensor<42x64xf32>)
    "stablehlo.return"(%3) : (tensor<42x64xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<40x64xf32>, %1: tensor<3x64xf32>) -> (tensor<40x64xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.pad"(%0, %3) <{edge_padding_high = array<i64: 0, 0>, edge_padding_low = array<i64: 2, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<40x64xf32>, tensor<f32>) -> (tensor<42x64xf32>)
    %5 = "stablehlo.slice"(%4) <{limit_indices = array<i64: 40, 64>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<42x64xf32>) -> (tensor<40x64xf32>)
    %6 = "stablehlo.slice"(%4) <{limit_indices = array<i64: 41, 64>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}> : (tensor<42x64xf32>) -> (tensor<40x64xf32>)
    %7 = "stablehlo.slice"(%4) <{limit_indices = array<i64: 42, 64>, start_indices = array<i64: 2, 0>, strides = array<i64: 1, 1>}> : (tensor<42x64xf32>) -> (tensor<40x64xf32>)
    %8 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<40x64xf32>) -> (tensor<40x1x64xf32>)
    %9 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<40x64xf32>) -> (tensor<40x1x64xf32>)
    %10 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<40x64xf32>) -> (tensor<40x1x64xf32>)
    %11 = "stablehlo.concatenate"(%8, %9, %10) <{dimension = 1 : i64}> : (tensor<40x1x64xf32>, tensor<40x1x64xf32>, tensor<40x1x64xf32>) -> (tensor<40x3x64xf32>)
    %12 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<3x64xf32>) -> (tensor<1x3x64xf32>)
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x3x64xf32>) -> (tensor<40x3x64xf32>)
    %14 = "stablehlo.multiply"(%11, %13) : (tensor<40x3x64xf32>, tensor<40x3x64xf32>) -> (tensor<40x3x64xf32>)
    %15 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %20 = "stablehlo.slice"(%12) <{limit_indices = array<i64: 1, 1, 64>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<1x3x64xf32>) -> (tensor<1x1x64xf32>)
    %21 = "stablehlo.reshape"(%20) : (tensor<1x1x64xf32>) -> (tensor<1x64xf32>)
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x64xf32>) -> (tensor<40x64xf32>)
    %23 = "stablehlo.multiply"(%5, %22) : (tensor<40x64xf32>, tensor<40x64xf32>) -> (tensor<40x64xf32>)
    %24 = "stablehlo.slice"(%12) <{limit_indices = array<i64: 1, 2, 64>, start_indices = array<i64: 0, 1, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<1x3x64xf32>) -> (tensor<1x1x64xf32>)
    %25 = "stablehlo.reshape"(%24) : (tensor<1x1x64xf32>) -> (tensor<1x64xf32>)
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x64xf32>) -> (tensor<40x64xf32>)
    %27 = "stablehlo.multiply"(%6, %26) : (tensor<40x64xf32>, tensor<40x64xf32>) -> (tensor<40x64xf32>)
    %28 = "stablehlo.slice"(%12) <{limit_indices = array<i64: 1, 3, 64>, start_indices = array<i64: 0, 2, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<1x3x64xf32>) -> (tensor<1x1x64xf32>)
    %29 = "stablehlo.reshape"(%28) : (tensor<1x1x64xf32>) -> (tensor<1x64xf32>)
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x64xf32>) -> (tensor<40x64xf32>)
    %31 = "stablehlo.multiply"(%7, %30) : (tensor<40x64xf32>, tensor<40x64xf32>) -> (tensor<40x64xf32>)
    %32 = "stablehlo.add"(%23, %27) : (tensor<40x64xf32>, tensor<40x64xf32>) -> (tensor<40x64xf32>)
    %16 = "stablehlo.add"(%32, %31) : (tensor<40x64xf32>, tensor<40x64xf32>) -> (tensor<40x64xf32>)
    "stablehlo.return"(%16) : (tensor<40x64xf32>) -> ()
  }
  func.func private @_pad(%0: tensor<40x64xf32>, %1: tensor<i32>) -> (tensor<42x64xf32>) {
    %2 = "stablehlo.convert"(%1) : (tensor<i32>) -> (tensor<f32>)
    %3 = "stablehlo.pad"(%0, %2) <{edge_padding_high = array<i64: 0, 0>, edge_padding_low = array<i64: 2, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<40x64xf32>, tensor<f32>) -> (tensor<42x64xf32>)
    "stablehlo.return"(%3) : (tensor<42x64xf32>) -> ()
  }
}
