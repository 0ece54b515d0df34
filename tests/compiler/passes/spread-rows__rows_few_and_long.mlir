// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<3x40000xf32>, %1: tensor<40000xf32>) -> (tensor<3x40000xf32>, tensor<3xf32>, tensor<40000xf32>, tensor<3xi32>) {
    %2 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.reduce"(%0, %2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%4: tensor<f32>, %5: tensor<f32>):
      %6 = "stablehlo.add"(%4, %5) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<3x40000xf32>, tensor<f32>) -> (tensor<3xf32>)
    %7 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> (tensor<3x1xf32>)
    %8 = "stablehlo.constant"() <{value = dense<4.000000000e+04> : tensor<f32>}> : () -> (tensor<f32>)
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x1xf32>)
    %10 = "stablehlo.divide"(%7, %9) : (tensor<3x1xf32>, tensor<3x1xf32>) -> (tensor<3x1xf32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x1xf32>) -> (tensor<3x40000xf32>)
    %12 = "stablehlo.subtract"(%0, %11) : (tensor<3x40000xf32>, tensor<3x40000xf32>) -> (tensor<3x40000xf32>)
    %13 = "stablehlo.multiply"(%12, %12) : (tensor<3x40000xf32>, tensor<3x40000xf32>) -> (tensor<3x40000xf32>)
    %15 = "stablehlo.reduce"(%13, %2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%16: tensor<f32>, %17: tensor<f32>):
      %18 = "stablehlo.add"(%16, %17) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%18) : (tensor<f32>) -> ()
    }) : (tensor<3x40000xf32>, tensor<f32>) -> (tensor<3xf32>)
    %19 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> (tensor<3x1xf32>)
    %22 = "stablehlo.divide"(%19, %9) : (tensor<3x1xf32>, tensor<3x1xf32>) -> (tensor<3x1xf32>)
    %23 = "stablehlo.constant"() <{value = dense<9.999999747e-06> : tensor<f32>}> : () -> (tensor<f32>)
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x1xf32>)
    %25 = "stablehlo.add"(%22, %24) : (tensor<3x1xf32>, tensor<3x1xf32>) -> (tensor<3x1xf32>)
    %26 = "stablehlo.rsqrt"(%25) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<3x1xf32>) -> (tensor<3x1xf32>)
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x1xf32>) -> (tensor<3x40000xf32>)
    %28 = "stablehlo.multiply"(%12, %27) : (tensor<3x40000xf32>, tensor<3x40000xf32>) -> (tensor<3x40000xf32>)
    %29 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<40000xf32>) -> (tensor<1x40000xf32>)
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x40000xf32>) -> (tensor<3x40000xf32>)
    %31 = "stablehlo.multiply"(%28, %30) : (tensor<3x40000xf32>, tensor<3x40000xf32>) -> (tensor<3x40000xf32>)
    %32 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %33 = "stablehlo.reduce"(%31, %32) <{dimensions = array<i64: 1>}> ({
    ^bb0(%34: tensor<f32>, %35: tensor<f32>):
      %36 = "stablehlo.maximum"(%34, %35) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%36) : (tensor<f32>) -> ()
    }) : (tensor<3x40000xf32>, tensor<f32>) -> (tensor<3xf32>)
    %37 = "stablehlo.constant"() <{value = dense<8.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x40000xf32>)
    %39 = "stablehlo.subtract"(%31, %38) : (tensor<3x40000xf32>, tensor<3x40000xf32>) -> (tensor<3x40000xf32>)
    %40 = "stablehlo.exponential"(%39) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<3x40000xf32>) -> (tensor<3x40000xf32>)
    %42 = "stablehlo.reduce"(%40, %2) <{dimensions = array<i64: 0>}> ({
    ^bb0(%43: tensor<f32>, %44: tensor<f32>):
      %45 = "stablehlo.add"(%43, %44) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%45) : (tensor<f32>) -> ()
    }) : (tensor<3x40000xf32>, tensor<f32>) -> (tensor<40000xf32>)
    %47 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x40000xf32>)
    %48 = "stablehlo.compare"(%31, %47) <{compare_type = "FLOAT", comparison_direction = "GT"}> : (tensor<3x40000xf32>, tensor<3x40000xf32>) -> (tensor<3x40000xi1>)
    %49 = "stablehlo.convert"(%48) : (tensor<3x40000xi1>) -> (tensor<3x40000xi32>)
    %55 = "stablehlo.convert"(%49) : (tensor<3x40000xi32>) -> (tensor<3x40000xf32>)
    %56 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<f32>)
    %58 = "stablehlo.reduce"(%55, %57) <{dimensions = array<i64: 1>}> ({
    ^bb0(%59: tensor<f32>, %60: tensor<f32>):
      %61 = "stablehlo.add"(%59, %60) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%61) : (tensor<f32>) -> ()
    }) : (tensor<3x40000xf32>, tensor<f32>) -> (tensor<3xf32>)
    %51 = "stablehlo.convert"(%58) : (tensor<3xf32>) -> (tensor<3xi32>)
    "stablehlo.return"(%31, %33, %42, %51) : (tensor<3x40000xf32>, tensor<3xf32>, tensor<40000xf32>, tensor<3xi32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<3x40000xf32>, %1: tensor<40000xf32>) -> (tensor<3x40000xf32>, tensor<3xf32>, tensor<40000xf32>, tensor<3xi32>) {
    %2 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %53 = "stablehlo.reshape"(%0) : (tensor<3x40000xf32>) -> (tensor<3x40x1000xf32>)
    %58 = "stablehlo.reduce"(%53, %2) <{dimensions = array<i64: 2>}> ({
    ^bb0(%54: tensor<f32>, %55: tensor<f32>):
      %56 = "stablehlo.add"(%54, %55) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%56) : (tensor<f32>) -> ()
    }) : (tensor<3x40x1000xf32>, tensor<f32>) -> (tensor<3x40xf32>)
    %3 = "stablehlo.reduce"(%58, %2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%4: tensor<f32>, %5: tensor<f32>):
      %6 = "stablehlo.add"(%4, %5) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<3x40xf32>, tensor<f32>) -> (tensor<3xf32>)
    %7 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> (tensor<3x1xf32>)
    %8 = "stablehlo.constant"() <{value = dense<4.000000000e+04> : tensor<f32>}> : () -> (tensor<f32>)
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x1xf32>)
    %10 = "stablehlo.divide"(%7, %9) : (tensor<3x1xf32>, tensor<3x1xf32>) -> (tensor<3x1xf32>)
    %59 = "stablehlo.reshape"(%10) : (tensor<3x1xf32>) -> (tensor<3x1x1xf32>)
    %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x1x1xf32>) -> (tensor<3x40x1000xf32>)
    %61 = "stablehlo.subtract"(%53, %60) : (tensor<3x40x1000xf32>, tensor<3x40x1000xf32>) -> (tensor<3x40x1000xf32>)
    %62 = "stablehlo.multiply"(%61, %61) : (tensor<3x40x1000xf32>, tensor<3x40x1000xf32>) -> (tensor<3x40x1000xf32>)
    %67 = "stablehlo.reduce"(%62, %2) <{dimensions = array<i64: 2>}> ({
    ^bb0(%63: tensor<f32>, %64: tensor<f32>):
      %65 = "stablehlo.add"(%63, %64) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%65) : (tensor<f32>) -> ()
    }) : (tensor<3x40x1000xf32>, tensor<f32>) -> (tensor<3x40xf32>)
    %14 = "stablehlo.reduce"(%67, %2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%15: tensor<f32>, %16: tensor<f32>):
      %17 = "stablehlo.add"(%15, %16) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%17) : (tensor<f32>) -> ()
    }) : (tensor<3x40xf32>, tensor<f32>) -> (tensor<3xf32>)
    %18 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> (tensor<3x1xf32>)
    %19 = "stablehlo.divide"(%18, %9) : (tensor<3x1xf32>, tensor<3x1xf32>) -> (tensor<3x1xf32>)
    %20 = "stablehlo.constant"() <{value = dense<9.999999747e-06> : tensor<f32>}> : () -> (tensor<f32>)
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x1xf32>)
    %22 = "stablehlo.add"(%19, %21) : (tensor<3x1xf32>, tensor<3x1xf32>) -> (tensor<3x1xf32>)
    %23 = "stablehlo.rsqrt"(%22) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<3x1xf32>) -> (tensor<3x1xf32>)
    %68 = "stablehlo.reshape"(%23) : (tensor<3x1xf32>) -> (tensor<3x1x1xf32>)
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<3x1x1xf32>) -> (tensor<3x40x1000xf32>)
    %70 = "stablehlo.multiply"(%61, %69) : (tensor<3x40x1000xf32>, tensor<3x40x1000xf32>) -> (tensor<3x40x1000xf32>)
    %26 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<40000xf32>) -> (tensor<1x40000xf32>)
    %71 = "stablehlo.reshape"(%26) : (tensor<1x40000xf32>) -> (tensor<1x40x1000xf32>)
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x40x1000xf32>) -> (tensor<3x40x1000xf32>)
    %73 = "stablehlo.multiply"(%70, %72) : (tensor<3x40x1000xf32>, tensor<3x40x1000xf32>) -> (tensor<3x40x1000xf32>)
    %28 = "stablehlo.reshape"(%73) : (tensor<3x40x1000xf32>) -> (tensor<3x40000xf32>)
    %29 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %78 = "stablehlo.reduce"(%73, %29) <{dimensions = array<i64: 2>}> ({
    ^bb0(%74: tensor<f32>, %75: tensor<f32>):
      %76 = "stablehlo.maximum"(%74, %75) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%76) : (tensor<f32>) -> ()
    }) : (tensor<3x40x1000xf32>, tensor<f32>) -> (tensor<3x40xf32>)
    %30 = "stablehlo.reduce"(%78, %29) <{dimensions = array<i64: 1>}> ({
    ^bb0(%31: tensor<f32>, %32: tensor<f32>):
      %33 = "stablehlo.maximum"(%31, %32) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%33) : (tensor<f32>) -> ()
    }) : (tensor<3x40xf32>, tensor<f32>) -> (tensor<3xf32>)
    %34 = "stablehlo.constant"() <{value = dense<8.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %79 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x40xf32>)
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x40xf32>) -> (tensor<3x40x1000xf32>)
    %81 = "stablehlo.subtract"(%73, %80) : (tensor<3x40x1000xf32>, tensor<3x40x1000xf32>) -> (tensor<3x40x1000xf32>)
    %82 = "stablehlo.exponential"(%81) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<3x40x1000xf32>) -> (tensor<3x40x1000xf32>)
    %37 = "stablehlo.reshape"(%82) : (tensor<3x40x1000xf32>) -> (tensor<3x40000xf32>)
    %38 = "stablehlo.reduce"(%37, %2) <{dimensions = array<i64: 0>}> ({
    ^bb0(%39: tensor<f32>, %40: tensor<f32>):
      %41 = "stablehlo.add"(%39, %40) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%41) : (tensor<f32>) -> ()
    }) : (tensor<3x40000xf32>, tensor<f32>) -> (tensor<40000xf32>)
    %83 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x40xf32>)
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x40xf32>) -> (tensor<3x40x1000xf32>)
    %85 = "stablehlo.compare"(%73, %84) <{compare_type = "FLOAT", comparison_direction = "GT"}> : (tensor<3x40x1000xf32>, tensor<3x40x1000xf32>) -> (tensor<3x40x1000xi1>)
    %86 = "stablehlo.convert"(%85) : (tensor<3x40x1000xi1>) -> (tensor<3x40x1000xi32>)
    %87 = "stablehlo.convert"(%86) : (tensor<3x40x1000xi32>) -> (tensor<3x40x1000xf32>)
    %45 = "stablehlo.reshape"(%87) : (tensor<3x40x1000xf32>) -> (tensor<3x40000xf32>)
    %46 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<f32>)
    %48 = "stablehlo.reduce"(%45, %47) <{dimensions = array<i64: 1>}> ({
    ^bb0(%49: tensor<f32>, %50: tensor<f32>):
      %51 = "stablehlo.add"(%49, %50) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%51) : (tensor<f32>) -> ()
    }) : (tensor<3x40000xf32>, tensor<f32>) -> (tensor<3xf32>)
    %52 = "stablehlo.convert"(%48) : (tensor<3xf32>) -> (tensor<3xi32>)
    "stablehlo.return"(%28, %30, %38, %52) : (tensor<3x40000xf32>, tensor<3xf32>, tensor<40000xf32>, tensor<3xi32>) -> ()
  }
}
