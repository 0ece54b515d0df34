// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<3x9x14xf32>) -> (tensor<9xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
    ^bb0(%3: tensor<f32>, %4: tensor<f32>):
      %5 = "stablehlo.add"(%3, %4) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) : (tensor<3x9x14xf32>, tensor<f32>) -> (tensor<9xf32>)
    %6 = "stablehlo.constant"() <{value = dense<4.200000000e+01> : tensor<f32>}> : () -> (tensor<f32>)
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<9xf32>)
    %8 = "stablehlo.divide"(%2, %7) : (tensor<9xf32>, tensor<9xf32>) -> (tensor<9xf32>)
    "stablehlo.return"(%8) : (tensor<9xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<3x9x14xf32>) -> (tensor<9xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 2>}> ({
    ^bb0(%3: tensor<f32>, %4: tensor<f32>):
      %5 = "stablehlo.add"(%3, %4) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) : (tensor<3x9x14xf32>, tensor<f32>) -> (tensor<9xf32>)
    %6 = "stablehlo.constant"() <{value = dense<4.200000000e+01> : tensor<f32>}> : () -> (tensor<f32>)
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<9xf32>)
    %9 = "stablehlo.constant"() <{value = dense<4.200000000e+01> : tensor<f32>}> : () -> (tensor<f32>)
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<9xf32>)
    %11 = "stablehlo.constant"() <{value = dense<2.380952425e-02> : tensor<f32>}> : () -> (tensor<f32>)
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<9xf32>)
    %13 = "stablehlo.multiply"(%2, %12) : (tensor<9xf32>, tensor<9xf32>) -> (tensor<9xf32>)
    %14 = "stablehlo.multiply"(%13, %10) : (tensor<9xf32>, tensor<9xf32>) -> (tensor<9xf32>)
    %15 = "stablehlo.subtract"(%2, %14) : (tensor<9xf32>, tensor<9xf32>) -> (tensor<9xf32>)
    %16 = "stablehlo.constant"() <{value = dense<7.507324219e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<9xf32>)
    %18 = "stablehlo.multiply"(%15, %17) : (tensor<9xf32>, tensor<9xf32>) -> (tensor<9xf32>)
    %19 = "stablehlo.multiply"(%18, %12) : (tensor<9xf32>, tensor<9xf32>) -> (tensor<9xf32>)
    %20 = "stablehlo.abs"(%13) : (tensor<9xf32>) -> (tensor<9xf32>)
    %21 = "stablehlo.abs"(%19) : (tensor<9xf32>) -> (tensor<9xf32>)
    %22 = "stablehlo.compare"(%21, %20) <{compare_type = "FLOAT", comparison_direction = "LT"}> : (tensor<9xf32>, tensor<9xf32>) -> (tensor<9xi1>)
    %23 = "stablehlo.constant"() <{value = dense<-0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<9xf32>)
    %25 = "stablehlo.select"(%22, %19, %24) : (tensor<9xi1>, tensor<9xf32>, tensor<9xf32>) -> (tensor<9xf32>)
    %8 = "stablehlo.add"(%13, %25) : (tensor<9xf32>, tensor<9xf32>) -> (tensor<9xf32>)
    "stablehlo.return"(%8) : (tensor<9xf32>) -> ()
  }
}
