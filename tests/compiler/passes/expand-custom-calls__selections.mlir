// tolerance: 0
// in: 1 3 nan 3 2 -1 0 -1 5 5 2 2 2 2 2
// in: draw 5 -1 0.0078125 257
// out: 2 3 0
// out: 2 0 0
// out: 0.4375 0.1015625 0.6953125 0.484375 -0.09375 -0.1875
// out: 5 2 5 1 3 5
func.func @main(%x: tensor<3x5xf32>, %k: tensor<3x6xf32>) -> (tensor<3xui32>, tensor<3xi32>, tensor<3x2xf32>, tensor<3x2xi32>) {
  %a = stablehlo.custom_call @AwsNeuronArgMax(%x) {backend_config = "1"} : (tensor<3x5xf32>) -> tensor<3xui32>
  %b = stablehlo.custom_call @AwsNeuronArgMin(%x) {backend_config = "1"} : (tensor<3x5xf32>) -> tensor<3xi32>
  %c:2 = stablehlo.custom_call @AwsNeuronTopK(%k) {backend_config = "2"} : (tensor<3x6xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
  return %a, %b, %c#0, %c#1 : tensor<3xui32>, tensor<3xi32>, tensor<3x2xf32>, tensor<3x2xi32>
}
// -----
module @module {
  func.func public @main(%0: tensor<3x5xf32>, %1: tensor<3x6xf32>) -> (tensor<3xui32>, tensor<3xi32>, tensor<3x2xf32>, tensor<3x2xi32>) {
    %2 = "stablehlo.call"(%0) <{callee = @"AwsNeuronArgMax 1 (tensor<3x5xf32>) -> (tensor<3xui32>)"}> : (tensor<3x5xf32>) -> (tensor<3xui32>)
    %3 = "stablehlo.call"(%0) <{callee = @"AwsNeuronArgMin 1 (tensor<3x5xf32>) -> (tensor<3xi32>)"}> : (tensor<3x5xf32>) -> (tensor<3xi32>)
    %4, %5 = "stablehlo.call"(%1) <{callee = @"AwsNeuronTopK 2 (tensor<3x6xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)"}> : (tensor<3x6xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
    "stablehlo.return"(%2, %3, %4, %5) : (tensor<3xui32>, tensor<3xi32>, tensor<3x2xf32>, tensor<3x2xi32>) -> ()
  }
  func.func private @"AwsNeuronArgMax 1 (tensor<3x5xf32>) -> (tensor<3xui32>)"(%0: tensor<3x5xf32>) -> (tensor<3xui32>) {
    %1 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> (tensor<ui32>)
    %3 = "stablehlo.convert"(%0) : (tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %4 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<3x5xui32>)
    %5, %6 = "stablehlo.reduce"(%3, %4, %1, %2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%7: tensor<f32>, %8: tensor<ui32>, %9: tensor<f32>, %10: tensor<ui32>):
      %11 = "stablehlo.compare"(%7, %9) <{compare_type = "FLOAT", comparison_direction = "GT"}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
      %12 = "stablehlo.compare"(%7, %7) <{compare_type = "FLOAT", comparison_direction = "NE"}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
      %13 = "stablehlo.or"(%11, %12) : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
      %14 = "stablehlo.compare"(%7, %9) <{compare_type = "FLOAT", comparison_direction = "EQ"}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
      %15 = "stablehlo.compare"(%8, %10) <{compare_type = "UNSIGNED", comparison_direction = "LT"}> : (tensor<ui32>, tensor<ui32>) -> (tensor<i1>)
      %16 = "stablehlo.and"(%14, %15) : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
      %17 = "stablehlo.or"(%13, %16) : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
      %18 = "stablehlo.select"(%13, %7, %9) : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<f32>)
      %19 = "stablehlo.select"(%17, %8, %10) : (tensor<i1>, tensor<ui32>, tensor<ui32>) -> (tensor<ui32>)
      "stablehlo.return"(%18, %19) : (tensor<f32>, tensor<ui32>) -> ()
    }) : (tensor<3x5xf32>, tensor<3x5xui32>, tensor<f32>, tensor<ui32>) -> (tensor<3xf32>, tensor<3xui32>)
    "stablehlo.return"(%6) : (tensor<3xui32>) -> ()
  }
  func.func private @"AwsNeuronArgMin 1 (tensor<3x5xf32>) -> (tensor<3xi32>)"(%0: tensor<3x5xf32>) -> (tensor<3xi32>) {
    %1 = "stablehlo.constant"() <{value = dense<"0x0000807F"> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.convert"(%0) : (tensor<3x5xf32>) -> (tensor<3x5xf32>)
    %4 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<3x5xi32>)
    %5, %6 = "stablehlo.reduce"(%3, %4, %1, %2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%7: tensor<f32>, %8: tensor<i32>, %9: tensor<f32>, %10: tensor<i32>):
      %11 = "stablehlo.compare"(%7, %9) <{compare_type = "FLOAT", comparison_direction = "LT"}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
      %12 = "stablehlo.compare"(%7, %7) <{compare_type = "FLOAT", comparison_direction = "NE"}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
      %13 = "stablehlo.or"(%11, %12) : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
      %14 = "stablehlo.compare"(%7, %9) <{compare_type = "FLOAT", comparison_direction = "EQ"}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
      %15 = "stablehlo.compare"(%8, %10) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      %16 = "stablehlo.and"(%14, %15) : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
      %17 = "stablehlo.or"(%13, %16) : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
      %18 = "stablehlo.select"(%13, %7, %9) : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<f32>)
      %19 = "stablehlo.select"(%17, %8, %10) : (tensor<i1>, tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%18, %19) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<3x5xf32>, tensor<3x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
    "stablehlo.return"(%6) : (tensor<3xi32>) -> ()
  }
  func.func private @"AwsNeuronTopK 2 (tensor<3x6xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)"(%0: tensor<3x6xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>) {
    %1, %2 = "stablehlo.composite"(%0) <{composite_attributes = {k = 2 : i64}, name = "chlo.top_k", version = 0 : i64}> : (tensor<3x6xf32>) -> (tensor<3x2xf32>, tensor<3x2xi32>)
    %3 = "stablehlo.convert"(%2) : (tensor<3x2xi32>) -> (tensor<3x2xi32>)
    "stablehlo.return"(%1, %3) : (tensor<3x2xf32>, tensor<3x2xi32>) -> ()
  }
}
