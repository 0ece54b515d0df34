// tolerance: 1e-06
// in: draw 1 -30 2.288818359375e-05 2621441
module @module {
  func.func public @main(%0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<-2.000000000e+01> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.constant"() <{value = dense<2.000000000e+01> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.clamp"(%1, %0, %2) : (tensor<f32>, tensor<3x50xf32>, tensor<f32>) -> (tensor<3x50xf32>)
    %4 = "stablehlo.cosine"(%3) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<3x50xf32>) -> (tensor<3x50xf32>)
    "stablehlo.return"(%4) : (tensor<3x50xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<-2.000000000e+01> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.constant"() <{value = dense<2.000000000e+01> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.clamp"(%1, %0, %2) : (tensor<f32>, tensor<3x50xf32>, tensor<f32>) -> (tensor<3x50xf32>)
    %5 = "stablehlo.constant"() <{value = dense<3.183098733e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x50xf32>)
    %7 = "stablehlo.multiply"(%3, %6) : (tensor<3x50xf32>, tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %8 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x50xf32>)
    %10 = "stablehlo.add"(%7, %9) : (tensor<3x50xf32>, tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %11 = "stablehlo.constant"() <{value = dense<1.258291200e+07> : tensor<f32>}> : () -> (tensor<f32>)
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x50xf32>)
    %13 = "stablehlo.add"(%10, %12) : (tensor<3x50xf32>, tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %14 = "stablehlo.constant"() <{value = dense<-1.258291200e+07> : tensor<f32>}> : () -> (tensor<f32>)
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x50xf32>)
    %16 = "stablehlo.add"(%13, %15) : (tensor<3x50xf32>, tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %17 = "stablehlo.constant"() <{value = dense<-5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x50xf32>)
    %19 = "stablehlo.add"(%16, %18) : (tensor<3x50xf32>, tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %20 = "stablehlo.constant"() <{value = dense<3.141590118e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x50xf32>)
    %22 = "stablehlo.multiply"(%19, %21) : (tensor<3x50xf32>, tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %23 = "stablehlo.subtract"(%3, %22) : (tensor<3x50xf32>, tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %24 = "stablehlo.constant"() <{value = dense<2.535180101e-06> : tensor<f32>}> : () -> (tensor<f32>)
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x50xf32>)
    %26 = "stablehlo.multiply"(%19, %25) : (tensor<3x50xf32>, tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %27 = "stablehlo.subtract"(%23, %26) : (tensor<3x50xf32>, tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %28 = "stablehlo.constant"() <{value = dense<1.488709546e-12> : tensor<f32>}> : () -> (tensor<f32>)
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x50xf32>)
    %30 = "stablehlo.multiply"(%19, %29) : (tensor<3x50xf32>, tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %31 = "stablehlo.subtract"(%27, %30) : (tensor<3x50xf32>, tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %32 = "stablehlo.bitcast_convert"(%13) : (tensor<3x50xf32>) -> (tensor<3x50xi32>)
    %33 = "stablehlo.constant"() <{value = dense<31> : tensor<i32>}> : () -> (tensor<i32>)
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<3x50xi32>)
    %35 = "stablehlo.shift_left"(%32, %34) : (tensor<3x50xi32>, tensor<3x50xi32>) -> (tensor<3x50xi32>)
    %36 = "stablehlo.bitcast_convert"(%31) : (tensor<3x50xf32>) -> (tensor<3x50xi32>)
    %37 = "stablehlo.xor"(%36, %35) : (tensor<3x50xi32>, tensor<3x50xi32>) -> (tensor<3x50xi32>)
    %38 = "stablehlo.bitcast_convert"(%37) : (tensor<3x50xi32>) -> (tensor<3x50xf32>)
    %4 = "stablehlo.sine"(%38) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<3x50xf32>) -> (tensor<3x50xf32>)
    "stablehlo.return"(%4) : (tensor<3x50xf32>) -> ()
  }
}
