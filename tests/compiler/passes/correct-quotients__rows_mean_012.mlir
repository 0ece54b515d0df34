// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<3x9x14xf32>) -> (tensor<f32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%3: tensor<f32>, %4: tensor<f32>):
      %5 = "stablehlo.add"(%3, %4) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) : (tensor<3x9x14xf32>, tensor<f32>) -> (tensor<f32>)
    %6 = "stablehlo.constant"() <{value = dense<3.780000000e+02> : tensor<f32>}> : () -> (tensor<f32>)
    %7 = "stablehlo.divide"(%2, %6) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    "stablehlo.return"(%7) : (tensor<f32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<3x9x14xf32>) -> (tensor<f32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%3: tensor<f32>, %4: tensor<f32>):
      %5 = "stablehlo.add"(%3, %4) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) : (tensor<3x9x14xf32>, tensor<f32>) -> (tensor<f32>)
    %6 = "stablehlo.constant"() <{value = dense<3.780000000e+02> : tensor<f32>}> : () -> (tensor<f32>)
    %8 = "stablehlo.constant"() <{value = dense<3.780000000e+02> : tensor<f32>}> : () -> (tensor<f32>)
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<f32>)
    %10 = "stablehlo.constant"() <{value = dense<2.645502565e-03> : tensor<f32>}> : () -> (tensor<f32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<f32>)
    %12 = "stablehlo.multiply"(%2, %11) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    %13 = "stablehlo.multiply"(%12, %9) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    %14 = "stablehlo.subtract"(%2, %13) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    %15 = "stablehlo.constant"() <{value = dense<7.507324219e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<f32>)
    %17 = "stablehlo.multiply"(%14, %16) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    %18 = "stablehlo.multiply"(%17, %11) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    %19 = "stablehlo.abs"(%12) : (tensor<f32>) -> (tensor<f32>)
    %20 = "stablehlo.abs"(%18) : (tensor<f32>) -> (tensor<f32>)
    %21 = "stablehlo.compare"(%20, %19) <{compare_type = "FLOAT", comparison_direction = "LT"}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
    %22 = "stablehlo.constant"() <{value = dense<-0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<f32>)
    %24 = "stablehlo.select"(%21, %18, %23) : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<f32>)
    %7 = "stablehlo.add"(%12, %24) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
    "stablehlo.return"(%7) : (tensor<f32>) -> ()
  }
}
